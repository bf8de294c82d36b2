import { describe, expect, it } from 'vitest'
import { panBy, viewAfterKey, wholeView, zoomAt } from './viewport'

const view = { minX: 0, maxX: 10, minY: -1, maxY: 1 }

describe('the view of a plot', () => {
  it('shows everything with room around it, a constant column too', () => {
    const whole = wholeView({ min: 0, max: 10 }, { min: 5, max: 5 })
    expect(whole.minX).toBeLessThan(0)
    expect(whole.maxX).toBeGreaterThan(10)
    expect(whole.maxY).toBeGreaterThan(5)
    expect(whole.minY).toBeLessThan(5)
  })

  it('keeps the place under the pointer while zooming', () => {
    const zoomed = zoomAt(view, 0.3, 0.75, 0.5)
    expect(zoomed.minX + 0.3 * (zoomed.maxX - zoomed.minX)).toBeCloseTo(3, 12)
    expect(zoomed.minY + 0.75 * (zoomed.maxY - zoomed.minY)).toBeCloseTo(0.5, 12)
    expect(zoomed.maxX - zoomed.minX).toBeCloseTo(5, 12)
  })

  it('stops zooming where numbers no longer differ', () => {
    let near = { minX: 1e9, maxX: 1e9 + 1, minY: 0, maxY: 1 }
    for (let i = 0; i < 200; i++) near = zoomAt(near, 0.5, 0.5, 0.5)
    expect(near.maxX).toBeGreaterThan(near.minX)
  })

  it('moves by shares of itself, by keys too', () => {
    expect(panBy(view, 0.5, -0.5)).toEqual({ minX: 5, maxX: 15, minY: -2, maxY: 0 })
    expect(viewAfterKey(view, 'ArrowRight')).toEqual({ minX: 1, maxX: 11, minY: -1, maxY: 1 })
    expect(viewAfterKey(view, 'Home')).toBe('whole')
    expect(viewAfterKey(view, 'Tab')).toBeNull()
  })
})
