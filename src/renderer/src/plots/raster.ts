/**
 * Draws every point into pixels: no point is thinned away. Chart.js needs 2.3 µs a point, this some tens of
 * nanoseconds; it runs in a worker, so that even millions of points never hold the thread that draws.
 */
import { clusterShapes } from './colours'
import { glyphOf, type Glyph } from './glyphs'
import { cellPixels, countPoints, paintCounts, paintCoverage } from './scatter/density'
import { KeptCounts } from './scatter/kept-counts'
import { press, stampOf, targetOf, type Stamp, type Target } from './scatter/stamp'

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
  /** Device pixels to a CSS pixel; 1 when absent. */
  readonly ratio?: number
  readonly colours: Uint32Array
  /** (k) place in `clusterShapes` of each cluster; absent: in turn. */
  readonly shapes?: Uint8Array
  readonly neutral: number
  /** Of the ring round a picked row. */
  readonly ring?: number
  /** A cluster that is set off by paling the others, while no row is picked. */
  readonly highlighted?: number | null
  /** Colours from one point to the densest cell: how many points lie in each is painted. Null or absent: the points themselves. */
  readonly density?: Uint32Array | null
  /** How many labels were shown before these; tells who shows pictures which ones they are of. */
  readonly labelling?: number
}

export interface Painted {
  /** Points in view. */
  readonly drawn: number
  /** Points of the densest cell; null where points are painted. */
  readonly densest: number | null
}

/** Do two views come to the same picture of the same points? */
export function isSameView(a: RasterView, b: RasterView): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof RasterView>
  return [...names].every((name) => isSameValue(a[name], b[name]))
}

function isSameValue(a: RasterView[keyof RasterView], b: RasterView[keyof RasterView]): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  return a.length === b.length && a.every((value, at) => value === b[at])
}

/** How much of their coverage rows keep that are not picked out. */
const paled = 0.3
/** CSS pixels a picked row is larger by, and its ring. */
const pickedGrowth = 1
const ringGrowth = 2.5

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

interface Layer {
  readonly brush: Brush
  /** Null: the point's own. */
  readonly colour: number | null
}

/** Paints the wanted points with brushes one above the other; answers how many lay in view. */
function paintWith(
  target: Target,
  points: RasterPoints,
  view: RasterView,
  wanted: Wanted,
  layers: readonly Layer[],
): number {
  const { width, height, minX, maxY, colours, neutral } = view
  const scaleX = width / (view.maxX - minX)
  const scaleY = height / (maxY - view.minY)
  const reach = Math.max(...layers.map(({ brush }) => brush.reach))
  const { x: xs, y: ys, labels } = points
  let drawn = 0
  for (let i = 0; i < xs.length; i++) {
    if (wanted !== null && !wanted(i)) continue
    const x = (xs[i] - minX) * scaleX
    const y = (maxY - ys[i]) * scaleY
    // Written so that NaN fails the test and is skipped.
    if (!(x >= -reach && x <= width + reach && y >= -reach && y <= height + reach)) continue
    const label = labels === null ? -1 : labels[i]
    const shape = label < 0 ? 0 : (view.shapes?.[label] ?? label % clusterShapes.length)
    const own = label < 0 ? neutral : colours[label]
    // Moved by the reach first: cutting off the fraction is the floor of positive numbers only.
    const [column, row] = [((x + reach) | 0) - reach, ((y + reach) | 0) - reach]
    for (let j = 0; j < layers.length; j++)
      press(target, layers[j].brush.stamps[shape], column, row, layers[j].colour ?? own)
    drawn++
  }
  return drawn
}

/** The points that are set off from the others; null where none is. */
function setOff({ selected = null, labels }: RasterPoints, { highlighted = null }: RasterView): Wanted {
  if (selected !== null) return (point) => selected[point] === 1
  return highlighted === null || labels === null ? null : (point) => labels[point] === highlighted
}

/** From here on points cover each other: how many do is told by how opaque they are. */
const crowd = 100_000

const isCrowded = ({ x }: RasterPoints): boolean => x.length > crowd

/** One pixel a point, the denser the more opaque. Wanted points lie beneath those that are set off. */
function paintCrowd(
  pixels: Uint32Array,
  points: RasterPoints,
  view: RasterView,
  wanted: Wanted,
  kept: KeptCounts,
): number {
  const found = wanted === null ? kept.of(points, view) : countPoints(points, view, 1, wanted)
  paintCoverage(pixels, found, points, view, wanted === null ? 1 : paled)
  return found.drawn
}

/**
 * Paints a view into a cleared buffer (height, width): points, or how many there are.
 * @param kept of the pictures before
 */
export function paintView(
  pixels: Uint32Array,
  points: RasterPoints,
  view: RasterView,
  kept = new KeptCounts(),
): Painted {
  const { density = null, ratio = 1 } = view
  if (density === null) return { drawn: paintPoints(pixels, points, view, kept), densest: null }
  pixels.fill(0)
  const cell = Math.max(1, Math.round(cellPixels * ratio))
  const counts = countPoints(points, view, cell, null)
  paintCounts(pixels, view, counts, cell, density)
  return { drawn: counts.drawn, densest: counts.densest }
}

/** Paints all points into a cleared buffer (height, width); answers how many lay in view. */
export function paintPoints(
  pixels: Uint32Array,
  points: RasterPoints,
  view: RasterView,
  kept = new KeptCounts(),
): number {
  pixels.fill(0)
  const { width, height, radius, ratio = 1 } = view
  const target = targetOf(pixels, width, height)
  const off = setOff(points, view)
  const others = off === null ? null : (point: number) => !off(point)
  const usual = { brush: brushOf(radius, width, off !== null), colour: null }
  const drawn = isCrowded(points)
    ? paintCrowd(pixels, points, view, others, kept)
    : paintWith(target, points, view, others, [usual])
  if (off === null) return drawn
  const picked = (points.selected ?? null) !== null
  const above = { brush: brushOf(radius + (picked ? pickedGrowth * ratio : 0), width, false), colour: null }
  const ring = {
    brush: brushOf(radius + ringGrowth * ratio, width, false),
    colour: view.ring ?? view.neutral,
  }
  return drawn + paintWith(target, points, view, off, picked ? [ring, above] : [above])
}
