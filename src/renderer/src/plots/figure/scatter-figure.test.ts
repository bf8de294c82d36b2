import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installFakePainter, painted } from '../../../test/fake-painter'
import { paletteOf } from '../palette'
import type { PlotColumn } from '../plot-column'
import type { ScatterFigureState } from '../scatter/figure-state'
import { leftOf, topOf, type FigureLayer } from './figure'
import { PaintWorker } from './paint-worker'
import { scatterFigure } from './scatter-figure'

const theme = {
  ink: '#1d2125',
  quietInk: '#5a626b',
  grid: '#eeeeee',
  ground: '#ffffff',
  accent: '#1560b8',
  neutralPoint: '#8a929b',
  font: 'sans-serif',
}

/** Values kept relative to an offset of 100 in halves, as the engine host sends them. */
function column(name: string, values: Float32Array): PlotColumn {
  return { axis: { kind: 'row' }, name, values, offset: 100, unit: 0.5, min: 100, max: 110 }
}

function state(rows: number, change: Partial<ScatterFigureState> = {}): ScatterFigureState {
  const values = Float32Array.from({ length: rows }, (_, row) => (20 * row) / (rows - 1))
  return {
    width: 500,
    height: 300,
    view: { minX: 100, maxX: 110, minY: 100, maxY: 110 },
    x: column('length, cm', values),
    y: column('width, cm', values),
    labels: Int32Array.from({ length: rows }, (_, row) => (row === 0 ? -1 : row % 2)),
    palette: paletteOf(2),
    marks: [{ cluster: 1, x: 105, y: 107 }],
    trails: null,
    ...change,
  }
}

let painter: PaintWorker
beforeEach(() => {
  installFakePainter()
  painter = new PaintWorker()
})
afterEach(() => painter.dispose())

const layerOf = (layers: readonly FigureLayer[] | undefined, kind: FigureLayer['kind']) =>
  layers?.find((layer) => layer.kind === kind)

describe('the scatter plot as a figure', () => {
  it('has each of few points in file units, with the look of its cluster', async () => {
    const { panels } = await scatterFigure(state(3), theme, 'width against length', painter)
    const points = layerOf(panels[0]?.layers, 'points')
    if (points?.kind !== 'points') throw new Error('no points')
    expect([...Array.from(points.xs)]).toEqual([100, 105, 110])
    expect(Array.from(points.look, (at) => points.looks[at]?.shape)).toEqual(['circle', 'square', 'circle'])
    expect(points.looks[points.look[0] ?? 0]?.colour).toBe(theme.neutralPoint)
    expect([panels[0]?.x.label, panels[0]?.y.label]).toEqual(['length, cm', 'width, cm'])
  })

  it('shows the part that is zoomed to', async () => {
    const view = { minX: 104, maxX: 106, minY: 100, maxY: 110 }
    const { panels } = await scatterFigure(state(3, { view }), theme, 'zoomed', painter)
    const [panel] = panels
    if (!panel) throw new Error('no panel')
    expect(leftOf(panel, 105)).toBeCloseTo(panel.frame.left + panel.frame.width / 2)
    expect(topOf(panel, 110)).toBeCloseTo(panel.frame.top)
  })

  it('has many points as a picture of twice the size, painted elsewhere for the same view', async () => {
    const { panels } = await scatterFigure(state(10_001), theme, 'many', painter)
    expect(layerOf(panels[0]?.layers, 'image')).toEqual({
      kind: 'image',
      href: 'data:image/png;base64,AAAA',
    })
    const [{ picture, drawn } = { picture: null, drawn: 0 }] = painted
    expect(drawn).toBe(10_001)
    expect(picture?.view.width).toBe(Math.round(2 * (panels[0]?.frame.width ?? 0)))
    expect([picture?.view.minX, picture?.view.maxX]).toEqual([0, 20])
  })

  it('has picked rows above the others, ringed, and the others paled', async () => {
    const { panels } = await scatterFigure(
      state(5, { selected: Uint32Array.of(1, 3) }),
      theme,
      'picked',
      painter,
    )
    const layers = panels[0]?.layers.filter((layer) => layer.kind === 'points') ?? []
    const usual = layers[0]?.radius ?? 0
    expect(layers.map(({ xs }) => Array.from(xs))).toEqual([
      [100, 105, 110],
      [102.5, 107.5],
      [102.5, 107.5],
    ])
    expect(layers.map(({ opacity, radius }) => [opacity ?? 1, radius - usual])).toEqual([
      [0.3, 0],
      [1, 2.5],
      [1, 1],
    ])
    expect(layers[1]?.looks.every(({ colour }) => colour === theme.ink)).toBe(true)
    const svg = new TextDecoder().decode(
      await painter.svg(
        await scatterFigure(state(5, { selected: Uint32Array.of(1) }), theme, 'picked', painter),
      ),
    )
    expect(svg).toContain('<g opacity="0.3">')
  })

  it('has picked rows among many points too', async () => {
    const count = async (selected: Uint32Array | null) => {
      await scatterFigure(state(10_001, { selected }), theme, 'many', painter)
      const ink = painted.at(-1)?.picture.view.ring
      return painted.at(-1)?.pixels.filter((pixel) => pixel === ink).length
    }
    expect(await count(null)).toBe(0)
    expect(await count(Uint32Array.of(5000))).toBeGreaterThan(0)
  })

  it('carries the paths of the centroids up to the iteration on screen', async () => {
    const values = Float64Array.from([101, 101, 102, 102, 103, 103, 104, 104, 105, 105, 106, 106])
    const trails = { values, iterations: 3, k: 2, upTo: 1 }
    const { panels } = await scatterFigure(state(3, { trails }), theme, 'paths', painter)
    const lines = panels[0]?.layers.filter(({ kind }) => kind === 'line')
    expect(lines).toMatchObject([
      { name: 'Path of centroid 0', xs: [101, 103], ys: [101, 103], dots: 2 },
      { name: 'Path of centroid 1', xs: [102, 104], ys: [102, 104] },
    ])
  })
})
