/** Which points lie in a lasso. Runs in the worker that draws the points, a slice at a time. */

/** Corners of a closed polygon, in relative units of the axes. */
export interface Polygon {
  readonly xs: Float64Array
  readonly ys: Float64Array
}

/** A polygon whose edges are listed by bands of y, so that a place is tested against those beside it only. */
export interface BandedPolygon extends Polygon {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  /** Bands a unit. */
  readonly scale: number
  /** Edge i joins corner i with the corner before it. */
  readonly bands: readonly Uint32Array[]
}

const maxBands = 1024

function range(values: Float64Array): readonly [number, number] {
  let [min, max] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return [min, max]
}

/** Lists the edges of a hand-drawn polygon; about as many bands as corners leave a few edges in each. */
export function bandedPolygon({ xs, ys }: Polygon): BandedPolygon {
  const [minX, maxX] = range(xs)
  const [minY, maxY] = range(ys)
  const count = Math.max(1, Math.min(maxBands, xs.length))
  const scale = maxY > minY ? count / (maxY - minY) : 0
  const bandOf = (y: number): number => Math.min(count - 1, Math.floor((y - minY) * scale))
  const edges: number[][] = Array.from({ length: count }, () => [])
  for (let i = 0; i < xs.length; i++) {
    const before = ys[i === 0 ? xs.length - 1 : i - 1]
    const last = bandOf(Math.max(ys[i], before))
    for (let band = bandOf(Math.min(ys[i], before)); band <= last; band++) edges[band].push(i)
  }
  return { xs, ys, minX, maxX, minY, maxY, scale, bands: edges.map((list) => Uint32Array.from(list)) }
}

/** Whether a place lies inside by the even-odd rule (Shimrat 1962); NaN lies nowhere. */
export function isInside(polygon: BandedPolygon, x: number, y: number): boolean {
  const { xs, ys, minX, maxX, minY, maxY, scale, bands } = polygon
  if (!(x >= minX && x <= maxX && y >= minY && y <= maxY)) return false
  const band = bands[Math.min(bands.length - 1, Math.floor((y - minY) * scale))]
  let inside = false
  for (let at = 0; at < band.length; at++) {
    const i = band[at]
    const j = i === 0 ? xs.length - 1 : i - 1
    if (ys[i] > y !== ys[j] > y && x < ((xs[j] - xs[i]) * (y - ys[i])) / (ys[j] - ys[i]) + xs[i])
      inside = !inside
  }
  return inside
}

interface Coordinates {
  readonly x: Float32Array
  readonly y: Float32Array
}

/** Some ten milliseconds, after which a frame may be drawn. */
const pointsAtOnce = 1 << 19

/** The points in a polygon, ascending; yields between slices, so that whoever runs it may do other work. */
export function* pointsInside(
  { x, y }: Coordinates,
  corners: Polygon,
): Generator<void, Uint32Array<ArrayBuffer>> {
  const polygon = bandedPolygon(corners)
  const found: Uint32Array[] = []
  for (let start = 0; start < x.length; start += pointsAtOnce) {
    if (start > 0) yield
    const end = Math.min(x.length, start + pointsAtOnce)
    const slice = new Uint32Array(end - start)
    let count = 0
    for (let i = start; i < end; i++) if (isInside(polygon, x[i], y[i])) slice[count++] = i
    found.push(slice.slice(0, count))
  }
  return joined(found)
}

function joined(parts: readonly Uint32Array[]): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
