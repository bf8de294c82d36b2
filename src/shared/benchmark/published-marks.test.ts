import { describe, expect, it } from 'vitest'
import type { BenchmarkDocument, Measurement } from './document'
import { publishedSeries, publishedSpeedups, publishedTimes, type PublishedNumbers } from './published-marks'
import { ratioComparisons } from './published-ratios'
import { scalingGroups } from './scaling'
import type { PublishedTime } from './suite'
import { comparisonDocument, scalingDocument } from './testing/document'
import { ratioDocument } from './testing/ratio-document'

const shown = (numbers: PublishedNumbers) =>
  [...numbers].map(([{ contender }, found]) => [contender, ...found.map(({ value }) => value)])

/** The same comparison where only WebGPU has what the study did on CUDA. */
function withoutCuda(document: BenchmarkDocument): BenchmarkDocument {
  const moved = (row: Measurement): Measurement =>
    row.engine === 'cuda'
      ? { ...row, engine: 'webgpu', device: 'webgpu:0', contender: 'webgpu:0/global-atomics' }
      : row
  return { ...document, rows: document.rows.map(moved) }
}

describe('what a study published, beside the rows that stand for its systems', () => {
  const document = comparisonDocument()

  it('is its times, for each row that counts', () => {
    expect(shown(publishedTimes(document))).toEqual([
      ['cpu/sequential', 412],
      ['cuda:0/global-atomics', 8.1],
    ])
    const rows = document.rows.map((row): Measurement => ({ ...row, state: 'disagrees' }))
    expect(shown(publishedTimes({ ...document, rows }))).toEqual([])
  })

  it('stands beside WebGPU, and is marked, only where CUDA took no part', () => {
    const marks = (of: BenchmarkDocument) =>
      [...publishedTimes(of)].flatMap(([row, found]) => found.map((one) => [row.engine, one.standsIn]))
    expect(marks(withoutCuda(document))).toEqual([
      ['cpu', false],
      ['webgpu', true],
    ])
    const both = [...document.rows, ...withoutCuda(document).rows]
    expect(marks({ ...document, rows: both }).filter(([engine]) => engine === 'webgpu')).toEqual([])
  })

  it('is its speed-ups as printed over its own baseline, else the ratio of its times', () => {
    const printed = publishedSpeedups(document, 'cpu/sequential')
    expect([...printed.values()].flat().map(({ value, how }) => [value, how])).toEqual([
      [1, 'as printed'],
      [51, 'as printed'],
    ])
    const computed = publishedSpeedups(document, 'cuda:0/global-atomics')
    expect([...computed.values()].flat()).toMatchObject([
      { system: 'C++', value: 8.1 / 412, how: 'ratio of the printed times' },
    ])
    expect(publishedSpeedups(document, 'cpu/fused').size).toBe(0)
  })

  it('is no row of a ratio over the data of a k: the study does not say whose its ends are', () => {
    const ratios = ratioDocument({ webgpu: [[1, 4], [1, 2]] }) // prettier-ignore
    expect(ratioComparisons(ratios).length).toBeGreaterThan(0)
    expect(publishedSpeedups(ratios, 'webgpu/hybrid-parallel').size).toBe(0)
  })

  it('is on the lines of a sweep at the sizes of its data', () => {
    const sweep = scalingDocument()
    const time = (dataset: string, ms: number): PublishedTime => ({
      ...{ dataset, k: 5, contender: 'cuda/global-atomics', system: 'CUDA 1', ms, speedup: null },
    })
    const times = [time('uniform 1000', 3), time('uniform 100000', 9)]
    const publication = { title: '', hardware: '', note: '', times, ratios: [] }
    const [group] = scalingGroups(sweep)
    const found = publishedSeries({ ...sweep, suite: { ...sweep.suite, publication } }, group)
    expect(found.map(({ contender }) => contender)).toEqual(['cuda:0/global-atomics'])
    expect(found[0].points.map(({ size, value }) => [size, value])).toEqual([
      [1000, 3],
      [100_000, 9],
    ])
    expect(publishedSeries(sweep, group)).toEqual([])
  })
})
