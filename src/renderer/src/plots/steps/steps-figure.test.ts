import { describe, expect, it } from 'vitest'
import { shareOf, type FigureAxis } from '../figure/figure'
import { aboutWidth } from '../figure/svg-text'
import { gap, gutter, stepsGrid } from './grid'
import { panelAxes, sideRoom } from './steps-figure'

const square = { width: 150, height: 114 } as const
const views = {
  iris: { minX: 4.2, maxX: 8.05, minY: 1.9, maxY: 4.5 },
  proline: { minX: 208, maxX: 1750, minY: 0.5, maxY: 6 },
  money: { minX: 13_000, maxX: 115_000, minY: 860_000, maxY: 1_650_000 },
  tiny: { minX: 0.000_012, maxX: 0.000_019, minY: -0.000_03, maxY: 0.000_01 },
} as const

/** Where the words of an axis begin and end, in pixels of the panel. */
const spansOf = (axis: FigureAxis, width: number) =>
  axis.ticks
    .filter(({ label }) => label !== '')
    .map(({ value, label }) => {
      const [middle, half] = [shareOf(axis, value) * width, aboutWidth(label, 11) / 2]
      return { from: middle - half, to: middle + half }
    })

describe.each(Object.entries(views))('the axes of small panels, %s', (_, view) => {
  it.each([150, 190, 420])('keep the numbers of a panel of %i px apart, and off its neighbours', (width) => {
    const spans = spansOf(panelAxes(view, { ...square, width }).x, width)
    expect(spans.length).toBeGreaterThan(0)
    spans.forEach(({ from, to }, at) => {
      const next = spans[at + 1]?.from ?? width + gap + (spans[0]?.from ?? 0)
      expect(next - to).toBeGreaterThanOrEqual(4)
      expect(from).toBeGreaterThan(-gap)
    })
  })

  it('have whole numbers beside their first panel', () => {
    const widest = Math.max(...panelAxes(view, square).y.ticks.map(({ label }) => aboutWidth(label, 11)))
    expect(sideRoom(view)).toBeGreaterThan(widest + 6)
  })
})

it('the room for long numbers is taken from the panels, not from the view', () => {
  const room = { width: 380, height: 400, panels: 6, facts: 2, side: sideRoom(views.money) }
  const grid = stepsGrid(room)
  expect(grid.side).toBeGreaterThan(gutter)
  expect(grid.side + grid.columns * grid.width + (grid.columns - 1) * gap).toBeLessThanOrEqual(380)
})

it('short numbers are as many as they were', () => {
  expect(panelAxes(views.iris, square).x.ticks.length).toBeGreaterThanOrEqual(2)
  expect(sideRoom(views.iris)).toBe(gutter)
})
