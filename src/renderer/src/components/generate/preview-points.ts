/** The frame of a preview: the region, and what lies beyond it. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Points are this wide, in device pixels; fewer points are larger. */
const sizeOf = (count: number): number => (count > 1000 ? 2 : 3)

/**
 * Draws points (count, 2) over the whole of a canvas, each axis stretched to its span: one path, so that 5000 of
 * them take a few milliseconds.
 */
export function drawPoints(
  context: CanvasRenderingContext2D,
  points: Float32Array,
  region: { readonly width: number; readonly height: number },
  colour: string,
): void {
  const { width, height } = context.canvas
  const size = sizeOf(points.length / 2) * Math.max(1, Math.round(width / 320))
  const [x, y] = [spanOf(points, 0, region.width), spanOf(points, 1, region.height)]
  context.clearRect(0, 0, width, height)
  context.fillStyle = colour
  context.globalAlpha = 0.7
  context.beginPath()
  for (let i = 0; i < points.length; i += 2) {
    const across = (points[i] - x.from) / (x.to - x.from)
    const up = (points[i + 1] - y.from) / (y.to - y.from)
    context.rect(Math.round(across * (width - size)), Math.round((1 - up) * (height - size)), size, size)
  }
  context.fill()
}

function spanOf(points: Float32Array, axis: 0 | 1, extent: number): Span {
  let [from, to] = [0, extent]
  for (let i = axis; i < points.length; i += 2) {
    from = Math.min(from, points[i])
    to = Math.max(to, points[i])
  }
  return { from, to }
}
