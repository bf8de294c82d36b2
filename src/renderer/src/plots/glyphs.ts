/** Small anti-aliased marks, one per cluster shape, as lists of pixels around the point. */
import { assertNever } from '@shared/assert-never'
import type { ClusterShape } from './colours'

export interface Glyph {
  readonly dx: Int8Array
  readonly dy: Int8Array
  /** Coverage 1..255. */
  readonly alpha: Uint8Array
}

const samples = 4

/** Whether a place relative to the centre lies in the shape; areas are close to that of the circle. */
function inside(shape: ClusterShape, x: number, y: number, radius: number): boolean {
  switch (shape) {
    case 'circle':
      return x * x + y * y <= radius * radius
    case 'square':
      return Math.max(Math.abs(x), Math.abs(y)) <= radius * 0.89
    case 'triangle':
      return y <= radius * 0.85 && y >= 2 * Math.abs(x) * 0.87 - radius * 1.2
    case 'inverted-triangle':
      return inside('triangle', x, -y, radius)
    case 'diamond':
      return Math.abs(x) + Math.abs(y) <= radius * 1.25
    default:
      return assertNever(shape, 'cluster shape')
  }
}

function coverage(shape: ClusterShape, column: number, row: number, radius: number): number {
  let hits = 0
  for (let i = 0; i < samples; i++)
    for (let j = 0; j < samples; j++) {
      const x = column + (i + 0.5) / samples - 0.5
      const y = row + (j + 0.5) / samples - 0.5
      if (inside(shape, x, y, radius)) hits++
    }
  return Math.round((255 * hits) / (samples * samples))
}

/** The pixels of a shape of a radius in device pixels. */
export function glyphOf(shape: ClusterShape, radius: number): Glyph {
  const reach = Math.ceil(radius * 1.25)
  const dx: number[] = []
  const dy: number[] = []
  const alpha: number[] = []
  for (let row = -reach; row <= reach; row++)
    for (let column = -reach; column <= reach; column++) {
      const share = coverage(shape, column, row, radius)
      if (share === 0) continue
      dx.push(column)
      dy.push(row)
      alpha.push(share)
    }
  return { dx: Int8Array.from(dx), dy: Int8Array.from(dy), alpha: Uint8Array.from(alpha) }
}

/** Radius of a point in CSS pixels: many points are drawn smaller so that their density still shows. */
export function pointRadius(points: number): number {
  if (points <= 500) return 3.5
  if (points <= 5000) return 2.5
  if (points <= 50_000) return 1.5
  return 1
}
