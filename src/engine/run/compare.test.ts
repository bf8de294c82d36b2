import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runOf } from '../export/testing/run-of'
import { compareRuns } from './compare'
import type { RunResult } from './types'

const never = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compare-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(text: string): Promise<string> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  return path
}

/** The run with other labels, one a point. */
const relabelled = (run: RunResult, labels: number[]): RunResult => ({
  ...run,
  labels: Int32Array.from(labels),
})

const groups = 'a,b,c\n0,0,1\n1,0,1\n9,9,2\n8,9,2\n20,20,3\n21,20,3\n'

describe('two results side by side', () => {
  it('agree wholly with themselves', async () => {
    const run = await runOf(await file(groups), { k: 3 })
    const comparison = await compareRuns(run, run, never)
    expect(comparison).toMatchObject({ rows: 6, agreement: 1, adjustedRand: 1, features: ['a', 'b', 'c'] })
    for (const { a, b, centroidDistance } of comparison.pairs) expect([b, centroidDistance]).toEqual([a, 0])
  })

  it('are matched by what they share, with sizes and centroids of the matched', async () => {
    const path = await file(groups)
    const one = await runOf(path, { k: 2, features: ['a', 'b'] })
    const other = await runOf(path, { k: 3, features: ['b', 'c'] })
    const a = relabelled(one, [0, 0, 0, 1, 1, 1])
    const b = relabelled(other, [2, 2, 2, 0, 0, 1])
    const { rows, agreement, adjustedRand, features, pairs } = await compareRuns(a, b, never)
    expect([rows, agreement, features]).toEqual([6, 5 / 6, ['b']])
    expect(pairs.map((pair) => [pair.a, pair.b, pair.shared])).toEqual([
      [0, 2, 3],
      [1, 0, 2],
    ])
    // Pairs together: 3 + 1 = 4; in a 6, in b 3 + 1 = 4, of 15 in all.
    expect(adjustedRand).toBeCloseTo((4 - 24 / 15) / (5 - 24 / 15), 14)
    const [inA, inB] = [one.record.clusters[0], other.record.clusters[2]]
    expect(pairs[0]).toMatchObject({ sizeA: inA.size, sizeB: inB.size })
    const expected = (inB.centroid?.[0] ?? NaN) - (inA.centroid?.[1] ?? NaN)
    expect(pairs[0].largestDifference).toEqual({ feature: 'b', difference: expected })
    expect(pairs[0].centroidDistance).toBeCloseTo(Math.abs(expected), 12)
  })

  it('are apart in the scaled units they were made in', async () => {
    const path = await file('metres,age\n0,1\n4000,2\n0,9\n4000,8\n2000,20\n6000,21\n')
    const choice = { k: 2, features: ['metres', 'age'], scaling: 'standardise' } as const
    const one = relabelled(await runOf(path, choice), [0, 0, 0, 0, 1, 1])
    const { units, pairs } = await compareRuns(one, await runOf(path, { ...choice, seed: 2 }), never)
    expect(units).toBe('scaled')
    for (const { centroidDistance } of pairs) expect(centroidDistance).toBeLessThan(10)
    const unscaled = await runOf(path, { ...choice, scaling: 'none' })
    expect((await compareRuns(one, unscaled, never)).units).toBe('scaled-as-a')
    expect((await compareRuns(unscaled, unscaled, never)).units).toBe('file')
  })

  it('leave a cluster alone when the other has fewer', async () => {
    const path = await file(groups)
    const three = relabelled(await runOf(path, { k: 3 }), [0, 0, 1, 1, 2, 2])
    const two = relabelled(await runOf(path, { k: 2 }), [0, 0, 0, 0, 1, 1])
    const { agreement, pairs } = await compareRuns(three, two, never)
    expect(agreement).toBe(4 / 6)
    expect(pairs.filter(({ b }) => b === null)).toMatchObject([
      { sizeB: 0, shared: 0, centroidDistance: null, largestDifference: null },
    ])
  })

  it('count only the rows that both clustered', async () => {
    const path = await file('a,b\n0,0\n1,\n9,9\n8,9\n,7\n')
    const a = relabelled(await runOf(path, { k: 2, features: ['a'] }), [0, 0, 1, 1])
    const b = relabelled(await runOf(path, { k: 2, features: ['b'] }), [1, 0, 0, 0])
    const { rows, agreement, features, pairs } = await compareRuns(a, b, never)
    expect([rows, agreement, features]).toEqual([3, 1, []])
    expect(pairs[0].centroidDistance).toBeNull()
  })

  it('know a row by its place in the file when it was imported in two ways', async () => {
    const path = await file('0,0\n\n1,0\n9,9\n8,9\n')
    const plain = { header: false } as const
    const a = relabelled(await runOf(path, { k: 2 }, { overrides: plain }), [0, 0, 1, 1])
    const b = relabelled(await runOf(path, { k: 2 }, { overrides: { header: true } }), [0, 1, 1])
    expect(await compareRuns(a, b, never)).toMatchObject({ rows: 3, agreement: 1, adjustedRand: 1 })
  })

  it('of two files, or of a file that changed, are refused in one sentence', async () => {
    const run = await runOf(await file(groups), { k: 2 })
    const other = await runOf(await file('a,b\n1,2\n3,4\n'), { k: 2 })
    await expect(compareRuns(run, other, never)).rejects.toMatchObject({
      kind: 'input',
      code: 'compare.files',
      message: expect.stringContaining(other.record.file.name) as string,
    })
    const unread = { ...run, record: { ...run.record, file: { ...run.record.file, sha256: null } } }
    await expect(compareRuns(unread, unread, never)).rejects.toMatchObject({ code: 'compare.files' })
  })

  it('of millions of rows let others work meanwhile, and stop when nobody wants the answer any more', async () => {
    const run = await runOf(await file(groups), { k: 2 })
    const many = { ...run, labels: new Int32Array(4_000_000) }
    const controller = new AbortController()
    const work = compareRuns(many, many, controller.signal)
    setImmediate(() => controller.abort())
    await expect(work).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await compareRuns(many, many, never)).toMatchObject({ rows: 4_000_000, adjustedRand: 1 })
  })
})
