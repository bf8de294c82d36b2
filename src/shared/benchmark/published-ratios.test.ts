import { describe, expect, it } from 'vitest'
import type { BenchmarkDocument } from './document'
import { publishedMatches } from './published-match'
import { ratioComparisons, spreadOf } from './published-ratios'
import { ratioDocument } from './testing/ratio-document'

const shown = (document: BenchmarkDocument) =>
  ratioComparisons(document).map(({ device, standsIn, measured }) => ({
    ...{ device, standsIn, ...spreadOf(measured.map(({ ratio }) => ratio)) },
  }))

describe('a ratio of two systems of a study', () => {
  it('stands beside smallest, mean and largest ratio of medians, for each engine that ran both', () => {
    const both = ratioDocument({ cuda: [[1, 2], [1, 4]], webgpu: [[2, 2]] }) // prettier-ignore
    expect(shown(both)).toEqual([
      { device: 'cuda:0', standsIn: false, min: 2, mean: 3, max: 4 },
      { device: 'webgpu:0', standsIn: true, min: 1, mean: 1, max: 1 },
    ])
    expect(ratioComparisons(both)[0]?.measured[0]?.words).toBe(1000)
  })

  it('is there without a measured one where nothing ran', () => {
    expect(shown(ratioDocument({}))).toEqual([{ device: null, standsIn: false }])
  })
})

describe('on a machine without CUDA', () => {
  const time = { dataset: 'data 0', k: 5, contender: 'cuda/hybrid-parallel' }

  it('WebGPU stands in for a published CUDA system, and is marked', () => {
    const found = publishedMatches(ratioDocument({ webgpu: [[1, 2]] }), time)
    expect(found.map(({ row, standsIn }) => [row.contender, standsIn])).toEqual([
      ['webgpu/hybrid-parallel', true],
    ])
  })

  it('CUDA stands for itself where it took part', () => {
    const found = publishedMatches(ratioDocument({ cuda: [[1, 2]], webgpu: [[1, 2]] }), time)
    expect(found.map(({ row, standsIn }) => [row.contender, standsIn])).toEqual([
      ['cuda/hybrid-parallel', false],
    ])
  })
})
