/** Presses small marks into pixels: the innermost loop of the points layer, some ten pixels for each point. */
import type { Glyph } from '../glyphs'

/** ImageData words as signed integers, which engines keep in registers; (height, width). */
export interface Target {
  readonly pixels: Int32Array
  readonly width: number
  readonly height: number
}

/** The words of an ImageData as `press` takes them; the same memory. */
export function targetOf(words: Uint32Array, width: number, height: number): Target {
  return { pixels: new Int32Array(words.buffer, words.byteOffset, words.length), width, height }
}

/** A glyph with its pixels as distances in the buffer, for points away from the edges. */
export interface Stamp {
  readonly glyph: Glyph
  readonly distance: Int32Array
  readonly reach: number
}

export function stampOf(glyph: Glyph, width: number, reach: number): Stamp {
  return { glyph, distance: Int32Array.from(glyph.dx, (dx, i) => glyph.dy[i] * width + dx), reach }
}

/**
 * Source over destination for one pixel with a coverage of 1..254. Red and blue are mixed in one product, green in
 * another; 256 shares make a colour over itself exactly that colour again.
 */
function blend(below: number, colour: number, alpha: number): number {
  if (below === 0) return (alpha << 24) | (colour & 0xffffff)
  const keep = 256 - alpha
  const redBlue = (Math.imul(below & 0xff00ff, keep) + Math.imul(colour & 0xff00ff, alpha)) >>> 8
  const green = (Math.imul(below & 0xff00, keep) + Math.imul(colour & 0xff00, alpha)) >>> 8
  const before = below >>> 24
  const opacity = before > alpha ? before : alpha
  return (opacity << 24) | (redBlue & 0xff00ff) | (green & 0xff00)
}

/** A pixel that has the colour already stays: most of them where points are dense. */
function put(pixels: Int32Array, at: number, colour: number, alpha: number): void {
  const below = pixels[at]
  if (below !== colour) pixels[at] = alpha === 255 ? colour : blend(below, colour, alpha)
}

/** Presses a stamp of an opaque colour about a pixel, cut at the edges of the target. */
export function press(target: Target, stamp: Stamp, column: number, row: number, colour: number): void {
  const { pixels, width, height } = target
  const { glyph, distance, reach } = stamp
  const { alpha } = glyph
  const count = alpha.length
  const signed = colour | 0
  if (column >= reach && row >= reach && column < width - reach && row < height - reach) {
    const at = row * width + column
    for (let i = 0; i < count; i++) put(pixels, at + distance[i], signed, alpha[i])
    return
  }
  for (let i = 0; i < count; i++) {
    const x = column + glyph.dx[i]
    const y = row + glyph.dy[i]
    if (x >= 0 && y >= 0 && x < width && y < height) put(pixels, y * width + x, signed, alpha[i])
  }
}
