import { describe, expect, it } from 'vitest'
import { zoomedPanel } from './figure/zoomed'
import { leftOf, topOf, type FigurePanel } from './figure/figure'
import { logAxis, rowAxis } from './benchmark/axes'
import { within } from './zoom'

const ink = { dx: 7, dy: 0, colour: 'black', anchor: 'start' } as const
const panel: FigurePanel = {
  title: '',
  details: [],
  overhang: 5,
  frame: { left: 100, top: 8, width: 400, height: 200 },
  x: logAxis('ms', 1, 10_000, 400),
  y: rowAxis(['fast', 'slow']),
  layers: [
    {
      kind: 'texts',
      texts: [
        { ...ink, x: 5, y: 1.5, text: 'fast 5 ms' },
        { ...ink, x: 5000, y: 0.5, text: 'slow 5 s' },
        { ...ink, x: 1, y: 2, text: 'head' },
      ],
    },
  ],
}
const wordsOf = ({ layers }: FigurePanel) =>
  layers.flatMap((layer) => (layer.kind === 'texts' ? layer.texts.map(({ text }) => text) : []))

describe('a zoom', () => {
  it('stays within the whole, and leaves rows alone', () => {
    expect(within({ minX: -0.2, maxX: 0.3, minY: 0.2, maxY: 0.4 }, 'xy')).toEqual({
      minX: 0,
      maxX: 0.5,
      minY: 0.2,
      maxY: 0.4,
    })
    expect(within({ minX: 0.5, maxX: 2, minY: 0.2, maxY: 0.4 }, 'x')).toEqual({
      minX: 0,
      maxX: 1,
      minY: 0,
      maxY: 1,
    })
  })

  it('shows a part of a logarithmic axis with ticks of its own, and the words that are in it', () => {
    const part = zoomedPanel(panel, { minX: 0.5, maxX: 1, minY: 0, maxY: 1 })
    expect(part.x.min).toBeCloseTo(100)
    expect(part.x.max).toBeCloseTo(10_000)
    expect(leftOf(part, 1000)).toBeCloseTo(300)
    expect(part.x.ticks.length).toBeGreaterThanOrEqual(3)
    for (const { value } of part.x.ticks) expect(value).toBeGreaterThanOrEqual(100 * (1 - 1e-9))
    expect(part.y).toBe(panel.y)
    expect(wordsOf(part)).toEqual(['slow 5 s', 'head'])
  })

  it('keeps the names beside the frame, apart from one another, at their lines as these lie now', () => {
    const named = [9000, 8900, 8800, 2].map((y) => ({ ...ink, x: 10_000, y, text: `${y}`, beside: true }))
    const level = logAxis('ms', 1, 10_000, 200, false)
    const whole = { ...panel, y: level, layers: [{ kind: 'texts', texts: named }] } as const
    const part = zoomedPanel(whole, { minX: 0, maxX: 0.5, minY: 0.5, maxY: 1 })
    const texts = part.layers.flatMap((layer) => (layer.kind === 'texts' ? layer.texts : []))
    expect(texts.map(({ text }) => text)).toEqual(['9000', '8900', '8800', '2'])
    expect(texts.every(({ x }) => x === part.x.max)).toBe(true)
    const tops = texts.map(({ y, dy }) => topOf(part, y) + dy)
    for (const at of [1, 2]) expect((tops[at] ?? 0) - (tops[at - 1] ?? 0)).toBeGreaterThanOrEqual(14)
    expect(Math.min(...tops)).toBeGreaterThanOrEqual(part.frame.top)
    // The line of 2 ms is below what is shown: its name stands at the lower end.
    expect(tops[3]).toBeCloseTo(part.frame.top + part.frame.height)
  })

  it('far in has ticks between the powers', () => {
    const part = zoomedPanel(panel, { minX: 0.5, maxX: 0.51, minY: 0, maxY: 1 })
    expect(part.x.ticks.length).toBeGreaterThanOrEqual(3)
  })
})
