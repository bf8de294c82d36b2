import { describe, expect, it } from 'vitest'
import { agreementTable } from '@shared/benchmark/agreement-table'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { counts } from '@shared/benchmark/counted'
import { reasonNotes } from '@shared/benchmark/reason-notes'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { withSameBytes } from './canonical-results'
import { newDocument } from './new-document'
import { runBenchmark } from './run-benchmark'
import { dependencies, fakeEngine, suiteOf, watching, type Manner } from './testing/fakes'
import { withOwnCache } from './testing/cache-folder'

withOwnCache()

/** `fused` of one workload by contenders of their own, with these hashes. */
function rowsOf(hashes: Readonly<Record<string, string>>, changes: Partial<Measurement> = {}): Measurement[] {
  const fused = comparisonDocument().rows.find(({ variant }) => variant === 'fused')
  if (fused === undefined) throw new Error('no fused in the document')
  return Object.entries(hashes).map(([contender, resultSha256]) => ({
    ...fused,
    ...changes,
    contender,
    resultSha256,
  }))
}

const statesOf = (rows: readonly Measurement[]) => rows.map(({ state }) => state)

describe('results of canonical contenders', () => {
  it('stand where all are the same bytes', () => {
    const rows = rowsOf({ 'cpu/fused': 'a', 'cuda:0/fused': 'a' })
    expect(withSameBytes(rows)).toBe(rows)
  })

  it('are refused where they are not those of most, in a sentence with both hashes', () => {
    const rows = withSameBytes(rowsOf({ 'cpu/fused': 'a', 'cuda:0/fused': 'b', 'cuda:1/fused': 'a' }))
    expect(statesOf(rows)).toEqual(['measured', 'disagrees', 'measured'])
    expect(rows.map(counts)).toEqual([true, false, true])
    expect(rows[1].reason).toBe(
      'Canonical contenders give the same bytes, but the result of cuda:0/fused is b, that of cpu/fused a, of cuda:1/fused a.',
    )
    expect(rows[1].verification).toMatchObject({ agrees: false, reason: rows[1].reason })
  })

  it('are all refused where no result is that of most', () => {
    expect(statesOf(withSameBytes(rowsOf({ 'cpu/fused': 'a', 'cuda:0/fused': 'b' })))).toEqual([
      'disagrees',
      'disagrees',
    ])
  })

  it('are not held against bounded contenders, other programs or other workloads', () => {
    const bounded = rowsOf({ a: 'a', b: 'b' }, { variant: 'sequential' })
    const others = rowsOf({ a: 'a', b: 'b' }, { engine: null })
    const [one, two] = rowsOf({ a: 'a', b: 'b' })
    const apart = [one, { ...two, k: two.k + 1 }]
    for (const rows of [bounded, others, apart]) expect(withSameBytes(rows)).toBe(rows)
  })
})

/** The last bit of one coordinate: within every bound, and other bytes. */
const nudged: Manner = {
  onRead: (read) => {
    const centroids = read.centroids.slice()
    const bits = new Uint32Array(centroids.buffer)
    bits[0]++
    return { ...read, centroids }
  },
}

async function measured(onCuda: Manner): Promise<BenchmarkDocument> {
  const on = (id: 'cpu' | 'cuda', manner: Manner) => ({ ...fakeEngine({ fused: manner }), id })
  const some = dependencies(on('cpu', {}))
  const engines = { ...some.engines, cuda: on('cuda', onCuda) }
  const suite = suiteOf([], {
    contenders: (['cpu', 'cuda'] as const).map((engine) => ({
      ...{ kind: 'variant', engine, variant: 'fused', device: null },
    })),
    baseline: 'cpu/fused',
  })
  return runBenchmark(await newDocument(suite), { ...some, engines }, watching().watch)
}

describe('a comparison of canonical contenders', () => {
  it('counts those whose results are the same bytes', async () => {
    const document = await measured({})
    expect(statesOf(document.rows)).toEqual(['measured', 'measured'])
    expect(new Set(document.rows.map(({ resultSha256 }) => resultSha256)).size).toBe(1)
  })

  it('refuses those that part by a bit, in the table of agreement and in the notes', async () => {
    const document = await measured(nudged)
    expect(statesOf(document.rows)).toEqual(['disagrees', 'disagrees'])
    const { columns, rows } = agreementTable(document)
    const cells = (header: string) =>
      rows.map((row) => row[columns.findIndex((one) => one.header === header)])
    expect(cells('same bytes').map(({ text, state }) => [text, state])).toEqual(
      Array(2).fill(['1 of 2 alike', 'disagrees']),
    )
    for (const { text } of cells('reason')) expect(text).toContain('Canonical contenders give the same bytes')
    expect(reasonNotes(document)).toHaveLength(2)
  })
})
