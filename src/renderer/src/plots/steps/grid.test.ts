import { describe, expect, it } from 'vitest'
import { gap, gutter, roomAbove, roomBelow, stepsGrid, type GridRoom } from './grid'

const room = (change: Partial<GridRoom>): GridRoom => ({
  width: 690,
  height: 600,
  panels: 6,
  facts: 2,
  ...change,
})

const heightOf = ({ rows, height }: ReturnType<typeof stepsGrid>): number =>
  rows * (roomAbove(2) + height + roomBelow)

describe('the grid of panels', () => {
  it('has even rows, all in sight, as large as they can be', () => {
    const wide = stepsGrid(room({ width: 1260 }))
    expect([wide.columns, wide.rows]).toEqual([3, 2])
    expect(heightOf(wide)).toBeLessThanOrEqual(600)
    expect(wide.width).toBeGreaterThan(stepsGrid(room({})).width)
  })

  it('never reaches beyond its width', () => {
    for (const width of [250, 330, 690, 1260, 2500])
      for (const panels of [1, 2, 5, 19, 64]) {
        const grid = stepsGrid(room({ width, panels }))
        const used = gutter + grid.columns * grid.width + (grid.columns - 1) * gap
        expect(used, `${panels} in ${width}`).toBeLessThanOrEqual(width)
        expect(grid.columns * grid.rows).toBeGreaterThanOrEqual(panels)
      }
  })

  it('leaves larger text its room, and never reaches beyond its width with it', () => {
    for (const panels of [1, 2, 5, 6, 19]) {
      const usual = stepsGrid(room({ width: 1260, panels }))
      const grid = stepsGrid(room({ width: 1260, panels, text: 2 }))
      const used = 2 * gutter + grid.columns * grid.width + (grid.columns - 1) * gap
      expect(used, `${panels}`).toBeLessThanOrEqual(1260)
      expect(grid.width).toBeGreaterThanOrEqual(300)
      expect(grid.columns).toBeLessThanOrEqual(Math.max(usual.columns, 3))
    }
    const whole = stepsGrid(room({ width: 1260, height: 900, panels: 2, text: 2 }))
    expect(whole.rows * (2 * (roomAbove(2) + roomBelow) + whole.height)).toBeLessThanOrEqual(900)
  })

  it('keeps panels readable where they cannot all be in sight', () => {
    const many = stepsGrid(room({ panels: 64 }))
    expect(many.width).toBeGreaterThanOrEqual(150)
    expect(heightOf(many)).toBeGreaterThan(600)
    expect(stepsGrid(room({ panels: 64, width: 380 })).stacked).toBe(true)
  })
})
