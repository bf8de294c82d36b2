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

  it('keeps panels readable where they cannot all be in sight', () => {
    const many = stepsGrid(room({ panels: 64 }))
    expect(many.width).toBeGreaterThanOrEqual(150)
    expect(heightOf(many)).toBeGreaterThan(600)
    expect(stepsGrid(room({ panels: 64, width: 380 })).stacked).toBe(true)
  })
})
