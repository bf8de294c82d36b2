import { describe, expect, it } from 'vitest'
import { engineProfile } from '../../../test/quality'
import type { BenchmarkTheme } from '../benchmark/benchmark-theme'
import { bareFigure, fileFigure, type BenchmarkPlot } from '../benchmark/plot'
import type { FigureLayer } from '../figure/figure'
import { svgOf } from '../figure/svg'
import { paletteOf } from '../palette'
import { boxPlot } from './box-plot'
import { deviationColour } from './diverging'
import { heatmapPlot, maxHeatmapFeatures } from './heatmap-plot'
import { parallelPlot } from './parallel-plot'
import { byContrast, standardised } from './profile'
import { readProfile, type ReadProfile } from './read-profile'
import { similarityOrder } from './seriation'
import { SilhouetteCounter } from './silhouette-curve'
import { silhouettePlot } from './silhouette-plot'

const theme: BenchmarkTheme = {
  ...{
    ink: 'rgb(29 33 37)',
    quietInk: 'rgb(90 98 107)',
    grid: 'rgb(238 238 238)',
    ground: 'rgb(255 255 255)',
  },
  ...{
    accent: 'rgb(21 96 184)',
    neutralPoint: 'rgb(138 146 155)',
    font: 'sans-serif',
    error: 'rgb(168 35 27)',
  },
}
const palette = paletteOf(2)
const read = (): ReadProfile => readProfile([engineProfile()], 150)!
const layersOf = (plot: BenchmarkPlot): readonly FigureLayer[] =>
  bareFigure(plot, 700, theme).panels[0]?.layers ?? []
const textsOf = (plot: BenchmarkPlot): readonly string[] =>
  layersOf(plot).flatMap((layer) => (layer.kind === 'texts' ? layer.texts.map(({ text }) => text) : []))

describe('a profile as it is read', () => {
  it('tells the features that set a cluster apart, with their means elsewhere', () => {
    const [first] = read().clusters
    expect(first?.distinctive[0]).toEqual({ feature: 0, mean: 1, elsewhere: 4, difference: -4 })
    expect(first?.nearest).toEqual({ cluster: 1, distance: 3.2 })
    expect(first?.z).toEqual([-2, 0.5, 0])
  })

  it('leaves out clusters without rows, and joins the pieces of an answer', () => {
    const empty = engineProfile({ sizes: Float64Array.of(50, 0) })
    expect(readProfile([empty], 50)?.clusters.map(({ cluster }) => cluster)).toEqual([0])
    const pieces = [engineProfile(), engineProfile({ start: 2 })]
    expect(readProfile(pieces, 300)?.clusters.map(({ cluster }) => cluster)).toEqual([0, 1, 2, 3])
    expect(readProfile([], 0)).toBeNull()
  })

  it('is standardised by all rows, and a feature that does not vary is 0', () => {
    const [first] = read().clusters
    const own = first!.spreads[0]!
    expect(standardised(own, { mean: 3, sd: 2 })).toMatchObject({ mean: -1, sd: 0.25 })
    expect(standardised(own, { mean: 3, sd: 0 })).toMatchObject({ mean: 0, sd: 0 })
    expect(byContrast(read())).toEqual([0, 1, 2])
  })
})

describe('the heat map', () => {
  it('has a cell for every cluster and feature, coloured by its deviation, with the mean in it', () => {
    const plot = heatmapPlot(read(), palette, 'file')!
    const [cells] = layersOf(plot)
    expect(cells?.kind === 'bars' && cells.bars.length).toBe(6)
    expect(textsOf(plot)).toEqual(expect.arrayContaining(['1.000', '4.000', '2.500', '7.000']))
    expect(textsOf(heatmapPlot(read(), palette, 'standardised')!)).toEqual(
      expect.arrayContaining(['−2.0', '+1.0', '+0.5']),
    )
    expect(plot.summary).toContain('cluster 0 in petal length (cm), 2.0 standard deviations below')
  })

  it('shows the most distinctive of very many features, and says how many are left', () => {
    const many = maxHeatmapFeatures + 5
    const base = read()
    const repeated = <T>(value: T): T[] => Array.from({ length: many }, () => value)
    const wide = {
      ...base,
      features: repeated('x').map((name, at) => `${name}${at}`),
      whole: repeated(base.whole[0]!),
      clusters: base.clusters.map((cluster) => ({
        ...cluster,
        spreads: repeated(cluster.spreads[0]!),
        z: repeated(cluster.z[0]!),
      })),
    }
    const plot = heatmapPlot(wide, palette, 'file')!
    expect(plot.tips).toHaveLength(2 * maxHeatmapFeatures)
    expect(plot.remarks).toEqual(['5 features on which the clusters differ less are not shown.'])
    expect(heatmapPlot({ ...base, clusters: [] }, palette, 'file')).toBeNull()
  })

  it('is white at 0, and full at two standard deviations either way', () => {
    expect(deviationColour(0, theme)).toBe('rgb(255 255 255)')
    expect(deviationColour(NaN, theme)).toBe('rgb(255 255 255)')
    expect(deviationColour(9, theme)).toBe(deviationColour(2, theme))
    expect(deviationColour(-2, theme)).not.toBe(deviationColour(2, theme))
  })
})

it('rows that are alike stand side by side', () => {
  const rows = [[0], [10], [0.1], [9.8], [5]]
  const order = similarityOrder(rows)
  const beside = (a: number, b: number) => Math.abs(order.indexOf(a) - order.indexOf(b))
  expect([...order].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4])
  expect([beside(0, 2), beside(1, 3)]).toEqual([1, 1])
  expect(similarityOrder([])).toEqual([])
  expect(similarityOrder([[NaN], [1]])).toHaveLength(2)
})

describe('box plots', () => {
  it('have a box from quartile to quartile for every cluster and for all rows', () => {
    const plot = boxPlot(read(), 0, palette, 'file')
    const boxes = layersOf(plot).flatMap((layer) => (layer.kind === 'bars' ? layer.bars : []))
    expect(boxes.map(({ x0, x1 }) => [x0, x1])).toEqual([
      [0.75, 1.25],
      [3.75, 4.25],
      [2.5, 3.5],
    ])
    expect(plot.tips[2]?.title).toBe('All rows')
    expect(svgOf(fileFigure(plot, 720, theme))).toContain('all rows')
  })
})

describe('parallel coordinates', () => {
  it('have a line and a band for every cluster, in standard deviations', () => {
    const plot = parallelPlot(read(), [0, 2], palette)
    const lines = layersOf(plot).flatMap((layer) =>
      layer.kind === 'line' ? [[...Array.from(layer.xs)]] : [],
    )
    expect(lines).toEqual([
      [-2, 0],
      [1, 0],
    ])
    const band = layersOf(plot).find((layer) => layer.kind === 'band')
    expect(band).toMatchObject({ turned: true, low: [-2.25, -0.25], high: [-1.75, 0.25] })
  })
})

describe('silhouettes', () => {
  it('are counted part by part, rows without one left out, and come out descending', () => {
    const counter = new SilhouetteCounter(2)
    counter.add(Float32Array.of(0.5, NaN, -0.25), Int32Array.of(0, 0, 1))
    counter.add(Float32Array.of(0.9, 0.1, 0.3), Int32Array.of(0, -1, 1))
    const { values, negative, counted } = counter.curve(0)
    expect(counted).toBe(2)
    expect(Array.from(values, (value) => Number(value.toFixed(2)))).toEqual([0.9, 0.5])
    expect(negative).toBe(0)
    expect(counter.curve(1).negative).toBe(0.5)
    expect(counter.curve(7).counted).toBe(0)
  })

  it('of very many rows are quantiles of all of them', () => {
    const counter = new SilhouetteCounter(1)
    const rows = 10_000
    counter.add(
      Float32Array.from({ length: rows }, (_, at) => at / rows),
      new Int32Array(rows),
    )
    const { values } = counter.curve(0)
    expect(values).toHaveLength(400)
    expect(values[0]).toBeCloseTo(1, 2)
    expect(values[200]).toBeCloseTo(0.5, 2)
    expect(values[399]).toBeCloseTo(0, 2)
  })

  it('are blocks as high as their clusters have rows', () => {
    const blocks = [
      { cluster: 0, size: 50, mean: 0.7, values: [0.8, 0.6], negative: 0 },
      { cluster: 1, size: 100, mean: 0.2, values: [0.5, -0.1], negative: 0.5 },
    ]
    const plot = silhouettePlot({ mean: 0.37, blocks, how: 'Exact, over every pair of 150 rows' }, palette)
    const bands = layersOf(plot).flatMap((layer) => (layer.kind === 'band' ? layer : []))
    const heights = bands.map(({ xs }) => (xs[0] ?? 0) - (xs.at(-1) ?? 0))
    expect(heights[1]! / heights[0]!).toBeCloseTo(2, 6)
    expect(bands[1]?.high).toEqual([0.5, 0.5, -0.1, -0.1])
    expect(plot.summary).toBe('Exact, over every pair of 150 rows. Cluster 1 is least apart, 0.200.')
    expect(bareFigure(plot, 700, theme).panels[0]?.x.min).toBe(-0.1)
  })
})
