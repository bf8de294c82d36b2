import { describe, expect, it } from 'vitest'
import { hasRatioPlot, pairsText, ratioPlots } from './ratio-plot'
import { ratioDocument } from './testing/ratio-document'

const onWebGpu = ratioDocument({ webgpu: [[1, 4], [1, 2]] }) // prettier-ignore

describe('a plot of speed-ups against words transferred', () => {
  it('has a point for each dataset, in the order of its words, and what the study prints beside the same of these', () => {
    const [plot] = ratioPlots(onWebGpu)
    const [series] = plot.series
    expect(plot.title).toBe('Speed-up against words transferred: GPU only over hybrid')
    expect(series.points.map(({ label, words, ratio }) => [label, words, ratio])).toEqual([
      ['data 0', 1000, 4],
      ['data 1', 2000, 2],
    ])
    expect(series.pairs).toEqual([
      { statistic: 'min', what: 'smallest', measured: 2, published: 2.6 },
      { statistic: 'mean', what: 'mean', measured: 3, published: 3.2 },
      { statistic: 'max', what: 'largest', measured: 4, published: 3.5 },
    ])
    expect(pairsText(series)).toBe('k = 5: 2 to 4, mean 3 (published 2.6 to 3.5, mean 3.2)')
  })

  it('is marked where WebGPU stands in, and only where CUDA took no part', () => {
    expect(ratioPlots(onWebGpu)[0].says).toBe(
      'irregular-reduction over hybrid-parallel on webgpu:0, stands in for CUDA',
    )
    const [both] = ratioPlots(ratioDocument({ cuda: [[1, 2]], webgpu: [[1, 2]] }))
    expect(both.says).not.toContain('stands in')
    expect(both.series.map(({ name }) => name)).toEqual(['k = 5, cuda:0', 'k = 5, webgpu:0'])
    expect(new Set(both.series.map(({ look }) => look.shape)).size).toBe(2)
  })

  it('says one number of a single dataset', () => {
    const [plot] = ratioPlots(ratioDocument({ cuda: [[1, 3]] }))
    expect(pairsText(plot.series[0])).toBe('k = 5: 3 (published 2.6 to 3.5, mean 3.2)')
  })

  it('names a dataset as the study has it, whatever it was scaled to', () => {
    const rows = onWebGpu.rows.map((row) => ({ ...row, dataset: `${row.dataset}, scale 0.001, at least 5` }))
    const [plot] = ratioPlots({ ...onWebGpu, rows, plan: rows })
    expect(plot.series[0].points[0]?.label).toBe('data 0')
  })

  it('is none where nothing crosses, as between two systems of the processor', () => {
    const rows = onWebGpu.rows.map((row) => ({ ...row, hostDeviceBytesPerIteration: 0 }))
    expect(ratioPlots({ ...onWebGpu, rows })).toEqual([])
    const { publication } = onWebGpu.suite
    const ofCpu = publication && {
      ...publication,
      ratios: publication.ratios.map((one) => ({ ...one, over: 'cpu/openmp' })),
    }
    expect(hasRatioPlot(onWebGpu.suite)).toBe(true)
    expect(hasRatioPlot({ ...onWebGpu.suite, publication: ofCpu })).toBe(false)
  })
})
