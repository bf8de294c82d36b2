import { describe, expect, it } from 'vitest'
import { pixelOf } from '../colours'
import type { Figure, FigureLayer, FigurePanel, PointsLayer } from './figure'
import { flattened } from './flat'
import { pointPixels } from './paint-layers'

const theme = {
  ink: '#1d2125',
  quietInk: '#5a626b',
  grid: '#eeeeee',
  ground: '#ffffff',
  accent: '#1560b8',
  neutralPoint: '#8a929b',
  font: 'sans-serif',
}

function panel(layers: readonly FigureLayer[]): FigurePanel {
  const axis = { label: '', min: 0, max: 10, log: false, ticks: [] }
  const frame = { left: 30, top: 20, width: 100, height: 50 }
  return { title: '', details: [], overhang: 0, frame, x: axis, y: axis, layers }
}
const figure = (layers: readonly FigureLayer[]): Figure => {
  return { title: '', width: 140, height: 90, theme, panels: [panel(layers)] }
}

const looks = [
  { shape: 'diamond', colour: 'rgb(0 114 178)' },
  { shape: 'circle', colour: '#8a929b' },
] as const
const points = (count: number): PointsLayer => {
  const values = Array.from({ length: count }, (_, i) => i % 10)
  return { kind: 'points', xs: values, ys: values, look: values.map((i) => i % 2), looks, radius: 2 }
}
const line: FigureLayer = {
  kind: 'line',
  name: '',
  colour: '#000000',
  xs: [0, 1],
  ys: [0, 1],
  width: 1,
  opacity: 1,
  dots: 0,
}
const named: FigureLayer = {
  kind: 'marks',
  marks: [{ x: 5, y: 5, shape: 'circle', colour: '#0072b2', label: 'setosa' }],
  radius: 7,
  outline: 1.5,
  ring: 4,
}

describe('a figure for the eye', () => {
  it('draws what lies together as one picture, beneath the words', async () => {
    const drawn: string[][] = []
    const flat = await flattened(figure([points(501), line, named]), (_, layers) => {
      drawn.push(layers.map(({ kind }) => kind))
      return Promise.resolve('data:picture')
    })
    expect(drawn).toEqual([['points', 'line']])
    expect(flat.panels[0]?.layers).toEqual([{ kind: 'image', href: 'data:picture' }, named])
  })

  it('leaves few shapes as they are', async () => {
    const few = figure([points(100), line, named])
    expect(await flattened(few, () => Promise.reject(new Error('drawn')))).toBe(few)
  })

  it('puts each point where its shape would be, in its own colour', () => {
    const layer = { ...points(0), xs: [5, NaN], ys: [2, 2], look: [0, 1] }
    const pixels = pointPixels(panel([layer]), layer, 2)
    expect(pixels).toHaveLength(200 * 100)
    expect(pixels[80 * 200 + 100]).toBe(pixelOf([0, 114, 178]))
    // A diamond reaches further up than to its corner.
    expect(pixels[76 * 200 + 100]).not.toBe(0)
    expect(pixels[77 * 200 + 103]).toBe(0)
  })
})
