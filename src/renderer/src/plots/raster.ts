/**
 * Draws every point into pixels: no point is thinned away. Chart.js needs 2.3 µs a point, this some tens of
 * nanoseconds; it runs in a worker, so that even millions of points never hold the thread that draws.
 */
import { clusterShapes } from './colours'
import { glyphOf, type Glyph } from './glyphs'

/** (n) each; positions relative to their column's offset; NaN = missing, not drawn. */
export interface RasterPoints {
  readonly x: Float32Array
  readonly y: Float32Array
  /** -1 or null: no cluster, drawn neutral. */
  readonly labels: Int32Array | null
  /** 1 for rows that are picked out; null when none is. Picked rows lie above, ringed; the others are paled. */
  readonly selected?: Uint8Array | null
}

/** The view in the same relative units, sizes in device pixels, colours as little-endian ImageData words. */
export interface RasterView {
  readonly width: number
  readonly height: number
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  readonly radius: number
  readonly colours: Uint32Array
  readonly neutral: number
  /** Of the ring round a picked row. */
  readonly ring?: number
  /** A cluster that is set off by paling the others, while no row is picked. */
  readonly highlighted?: number | null
}

/** How much of their coverage rows keep that are not picked out. */
const paled = 0.3
/** Device pixels a picked row is larger by, and its ring beyond that. */
const pickedGrowth = 1
const ringGrowth = 2.5

/** Between two bytes, in whole numbers: this runs a million times a frame. */
function mix(below: number, above: number, share: number): number {
  return below + (((above - below) * share + 127) >> 8)
}

/** Source over destination for one pixel with coverage `alpha`. */
function blend(below: number, colour: number, alpha: number): number {
  if (below === 0) return ((alpha << 24) | (colour & 0xffffff)) >>> 0
  const red = mix(below & 255, colour & 255, alpha)
  const green = mix((below >>> 8) & 255, (colour >>> 8) & 255, alpha)
  const blue = mix((below >>> 16) & 255, (colour >>> 16) & 255, alpha)
  const opacity = Math.max(below >>> 24, alpha)
  return ((opacity << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

interface Target {
  readonly pixels: Uint32Array
  readonly width: number
  readonly height: number
}

/** A glyph with its pixels as distances in the buffer, for points away from the edges. */
interface Stamp {
  readonly glyph: Glyph
  readonly distance: Int32Array
  readonly reach: number
}

function stampOf(glyph: Glyph, width: number, reach: number): Stamp {
  return { glyph, distance: Int32Array.from(glyph.dx, (dx, i) => glyph.dy[i] * width + dx), reach }
}

function put(pixels: Uint32Array, at: number, colour: number, alpha: number): void {
  pixels[at] = alpha === 255 ? colour : blend(pixels[at], colour, alpha)
}

function press(target: Target, stamp: Stamp, column: number, row: number, colour: number): void {
  const { pixels, width, height } = target
  const { glyph, distance, reach } = stamp
  const { alpha } = glyph
  const count = alpha.length
  if (column >= reach && row >= reach && column < width - reach && row < height - reach) {
    const at = row * width + column
    for (let i = 0; i < count; i++) put(pixels, at + distance[i], colour, alpha[i])
    return
  }
  for (let i = 0; i < count; i++) {
    const x = column + glyph.dx[i]
    const y = row + glyph.dy[i]
    if (x >= 0 && y >= 0 && x < width && y < height) put(pixels, y * width + x, colour, alpha[i])
  }
}

function paledGlyph(glyph: Glyph): Glyph {
  return { ...glyph, alpha: glyph.alpha.map((alpha) => Math.max(1, alpha * paled)) }
}

interface Brush {
  readonly reach: number
  /** By shape of a cluster. */
  readonly stamps: readonly Stamp[]
}

function brushOf(radius: number, width: number, pale: boolean): Brush {
  const reach = Math.ceil(radius * 1.25)
  const stamps = clusterShapes.map((shape) => {
    const glyph = glyphOf(shape, radius)
    return stampOf(pale ? paledGlyph(glyph) : glyph, width, reach)
  })
  return { reach, stamps }
}

/** Which points a pass paints; null: all. */
type Wanted = ((point: number) => boolean) | null

/** Paints the wanted points with brushes one above the other; answers how many lay in view. */
function paintWith(
  target: Target,
  points: RasterPoints,
  view: RasterView,
  wanted: Wanted,
  layers: readonly { readonly brush: Brush; readonly colour: number | null }[],
): number {
  const { width, height, colours, neutral } = view
  const scaleX = width / (view.maxX - view.minX)
  const scaleY = height / (view.maxY - view.minY)
  const reach = Math.max(...layers.map(({ brush }) => brush.reach))
  const { x: xs, y: ys, labels } = points
  let drawn = 0
  for (let i = 0; i < xs.length; i++) {
    if (wanted !== null && !wanted(i)) continue
    const x = Math.floor((xs[i] - view.minX) * scaleX)
    const y = Math.floor((view.maxY - ys[i]) * scaleY)
    // Written so that NaN fails the test and is skipped.
    if (!(x >= -reach && x <= width + reach && y >= -reach && y <= height + reach)) continue
    const label = labels === null ? -1 : labels[i]
    const shape = label < 0 ? 0 : label % clusterShapes.length
    const own = label < 0 ? neutral : colours[label]
    for (const { brush, colour } of layers) press(target, brush.stamps[shape], x, y, colour ?? own)
    drawn++
  }
  return drawn
}

/** The points that are set off from the others; null where none is. */
function setOff({ selected = null, labels }: RasterPoints, { highlighted = null }: RasterView): Wanted {
  if (selected !== null) return (point) => selected[point] === 1
  return highlighted === null || labels === null ? null : (point) => labels[point] === highlighted
}

/** Paints all points into a cleared buffer (height, width); answers how many lay in view. */
export function paintPoints(pixels: Uint32Array, points: RasterPoints, view: RasterView): number {
  pixels.fill(0)
  const { width, height, radius } = view
  const target = { pixels, width, height }
  const off = setOff(points, view)
  const usual = { brush: brushOf(radius, width, off !== null), colour: null }
  if (off === null) return paintWith(target, points, view, null, [usual])
  const drawn = paintWith(target, points, view, (point) => !off(point), [usual])
  const picked = (points.selected ?? null) !== null
  const above = { brush: brushOf(radius + (picked ? pickedGrowth : 0), width, false), colour: null }
  const ring = { brush: brushOf(radius + ringGrowth, width, false), colour: view.ring ?? view.neutral }
  return drawn + paintWith(target, points, view, off, picked ? [ring, above] : [above])
}
