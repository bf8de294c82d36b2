import type { Draws } from '@engine/init/philox'
import { assertNever } from '@shared/assert-never'
import type { GeneratorSpec } from '@shared/generator'
import { blobCentres, marginOf } from './centres'
import { normalPair, turn } from './elementary'
import { Groups } from './groups'
import { extentOf } from '@shared/generator-text'

/**
 * Puts one point at `out[at]`, ..., units of the file.
 * @param group 32-bit word that chooses the blob, ring or moon
 * @param along 32-bit word that chooses the place along a ring or moon
 */
export type Placer = (row: number, group: number, along: number, out: Float64Array, at: number) => void

/** Where the points of a shape go; null for points that may be anywhere in the region. */
export function placerOf(spec: GeneratorSpec, coordinates: Draws): Placer | null {
  switch (spec.shape) {
    case 'uniform':
      return null
    case 'blobs':
      return blobs(spec, coordinates)
    case 'rings':
      return rings(spec, coordinates)
    case 'moons':
      return moons(spec, coordinates)
    default:
      return assertNever(spec.shape, 'the shape')
  }
}

/** (d) what a 32-bit word is multiplied by to lie anywhere in the region. */
export function uniformScales(spec: GeneratorSpec): Float64Array {
  return Float64Array.from({ length: spec.d }, (_, j) => extentOf(spec, j) / 2 ** 32)
}

/** Anywhere in the region, from feature `first` on: one word a coordinate, four a block. */
export function uniformPlacer(spec: GeneratorSpec, draws: Draws, first = 0): Placer {
  const scales = uniformScales(spec)
  return (row, _group, _along, out, at) => {
    let words = draws.words(first >> 2, row)
    for (let j = first; j < scales.length; j++) {
      if (j > first && (j & 3) === 0) words = draws.words(j >> 2, row)
      out[at + j] = words[j & 3] * scales[j]
    }
  }
}

function blobs(spec: GeneratorSpec, draws: Draws): Placer {
  const { d } = spec
  const groups = new Groups(spec.k, spec.imbalance)
  const centres = blobCentres(spec)
  const deviation = spec.spread * spec.width
  const pair = new Float64Array(2)
  return (row, group, _along, out, at) => {
    const centre = groups.of(group) * d
    let words = draws.words(0, row)
    for (let j = 0; j < d; j += 2) {
      if (j > 0 && (j & 3) === 0) words = draws.words(j >> 2, row)
      normalPair(words[j & 3], words[(j & 3) + 1], pair, 0)
      out[at + j] = centres[centre + j] + deviation * pair[0]
      if (j + 1 < d) out[at + j + 1] = centres[centre + j + 1] + deviation * pair[1]
    }
  }
}

/** k concentric rings, evenly spaced, the outermost as large as the region allows. */
function rings(spec: GeneratorSpec, draws: Draws): Placer {
  const groups = new Groups(spec.k, spec.imbalance)
  return curve(spec, draws, (group, along, out) => {
    turn(along, out, 0)
    const radius = (groups.of(group) + 1) / spec.k / 2
    out[0] = 0.5 + radius * out[0]
    out[1] = 0.5 + radius * out[1]
  })
}

/** Two half circles that reach into each other: around (1, 1) and around (2, 0.5) in a frame of 3 x 1.5. */
function moons(spec: GeneratorSpec, draws: Draws): Placer {
  const groups = new Groups(2, spec.imbalance)
  return curve(spec, draws, (group, along, out) => {
    turn(along >>> 1, out, 0)
    const upper = groups.of(group) === 0
    out[0] = (upper ? 1 + out[0] : 2 - out[0]) / 3
    out[1] = (upper ? 0.5 + out[1] : 1 - out[1]) / 1.5
  })
}

/** A curve in the unit square stretched over the region, with a Gaussian thickness; further features are noise. */
function curve(
  spec: GeneratorSpec,
  draws: Draws,
  locate: (group: number, along: number, out: Float64Array) => void,
): Placer {
  const deviation = spec.spread * spec.width
  const margins = [marginOf(spec, 0), marginOf(spec, 1)]
  const spans = [spec.width - 2 * margins[0], spec.height - 2 * margins[1]]
  const rest = spec.d > 2 ? uniformPlacer(spec, draws, 2) : null
  const unit = new Float64Array(2)
  const pair = new Float64Array(2)
  return (row, group, along, out, at) => {
    locate(group, along, unit)
    const words = draws.words(0, row)
    normalPair(words[0], words[1], pair, 0)
    out[at] = margins[0] + spans[0] * unit[0] + deviation * pair[0]
    out[at + 1] = margins[1] + spans[1] * unit[1] + deviation * pair[1]
    rest?.(row, group, along, out, at)
  }
}
