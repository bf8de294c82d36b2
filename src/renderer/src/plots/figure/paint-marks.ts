/** Centroids onto a canvas: rings of the ground first, so that no mark hides another's outline. */
import { pathOf } from './svg-layers'
import type { PictureMarks } from './paint-messages'

type Spot = PictureMarks['spots'][number]

function outlineOf({ shape, left, top }: Spot, radius: number): Path2D {
  if (shape !== 'circle') return new Path2D(pathOf(shape, left, top, radius))
  const path = new Path2D()
  path.arc(left, top, radius, 0, 2 * Math.PI)
  return path
}

export function drawMarks(context: OffscreenCanvasRenderingContext2D, marks: PictureMarks): void {
  const { spots, radius, outline, ring, ink, ground } = marks
  context.fillStyle = ground
  for (const { left, top } of spots) {
    context.beginPath()
    context.arc(left, top, radius + ring, 0, 2 * Math.PI)
    context.fill()
  }
  context.strokeStyle = ink
  context.lineWidth = outline
  for (const spot of spots) {
    const path = outlineOf(spot, radius)
    context.fillStyle = spot.colour
    context.fill(path)
    context.stroke(path)
  }
}
