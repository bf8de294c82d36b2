import { describe, expect, it } from 'vitest'
import type { BenchmarkDocument, Measurement } from './document'
import { publishedMatches } from './published-match'
import { ratioComparisons, spreadOf } from './published-ratios'
import type { Publication } from './suite'
import { comparisonDocument } from './testing/document'

const printed = { k: 5, systems: 'GPU only over hybrid', min: 2.6, mean: 3.2, max: 3.5 }
const ratios = [{ ...printed, contender: 'cuda/irregular-reduction', over: 'cuda/hybrid-parallel' }]
const publication: Publication = { title: 'A study', hardware: '', note: '', times: [], ratios }

/** Times of the two systems on each dataset, by engine. */
function documentWith(times: Readonly<Record<string, readonly (readonly [number, number])[]>>) {
  const document = comparisonDocument()
  const [some] = document.rows
  const rows = Object.entries(times).flatMap(([engine, pairs]) =>
    pairs.flatMap(([gpuOnly, hybrid], at) => [
      rowOf(some, `data ${at}`, `${engine}/irregular-reduction`, gpuOnly),
      rowOf(some, `data ${at}`, `${engine}/hybrid-parallel`, hybrid),
    ]),
  )
  return { ...document, suite: { ...document.suite, publication }, rows, plan: rows }
}

function rowOf(some: Measurement, dataset: string, contender: string, ms: number): Measurement {
  const [engine, variant] = contender.split('/')
  return {
    ...{ ...some, dataset, contender, variant, totalsMs: [ms], hostDeviceBytesPerIteration: 4000 },
    ...{ engine: engine === 'cuda' ? 'cuda' : 'webgpu', device: `${engine}:0` },
  }
}

const shown = (document: BenchmarkDocument) =>
  ratioComparisons(document).map(({ device, standsIn, measured }) => ({
    ...{ device, standsIn, ...spreadOf(measured.map(({ ratio }) => ratio)) },
  }))

describe('a ratio of two systems of a study', () => {
  it('stands beside smallest, mean and largest ratio of medians, for each engine that ran both', () => {
    const both = documentWith({ cuda: [[1, 2], [1, 4]], webgpu: [[2, 2]] }) // prettier-ignore
    expect(shown(both)).toEqual([
      { device: 'cuda:0', standsIn: false, min: 2, mean: 3, max: 4 },
      { device: 'webgpu:0', standsIn: true, min: 1, mean: 1, max: 1 },
    ])
    expect(ratioComparisons(both)[0]?.measured[0]?.words).toBe(1000)
  })

  it('is there without a measured one where nothing ran', () => {
    expect(shown(documentWith({}))).toEqual([{ device: null, standsIn: false }])
  })
})

describe('on a machine without CUDA', () => {
  const time = { dataset: 'data 0', k: 5, contender: 'cuda/hybrid-parallel' }

  it('WebGPU stands in for a published CUDA system, and is marked', () => {
    const found = publishedMatches(documentWith({ webgpu: [[1, 2]] }), time)
    expect(found.map(({ row, standsIn }) => [row.contender, standsIn])).toEqual([
      ['webgpu/hybrid-parallel', true],
    ])
  })

  it('CUDA stands for itself where it took part', () => {
    const found = publishedMatches(documentWith({ cuda: [[1, 2]], webgpu: [[1, 2]] }), time)
    expect(found.map(({ row, standsIn }) => [row.contender, standsIn])).toEqual([
      ['cuda/hybrid-parallel', false],
    ])
  })
})
