import { Draws, streams } from '@engine/init/philox'
import type { GeneratorSpec } from '@shared/generator'
import { extentOf } from '@shared/generator-text'

/** Candidates a centre is chosen among while there are few of them: blobs that overlap by chance tell little. */
const maxCandidates = 16
/** Coordinates compared for all centres together, as far as candidates go. */
const comparisons = 2 ** 24

/** Room left between a centre and the edge of the region, in spreads; at most a quarter of the extent. */
export const marginSpreads = 2.5

/** Distance kept from the edge of the region so that a Gaussian around it stays inside, units of the file. */
export function marginOf(spec: GeneratorSpec, feature: number): number {
  return Math.min(extentOf(spec, feature) / 4, marginSpreads * spec.spread * spec.width)
}

/**
 * Centres of the blobs, (k, d) in units of the file: each the one of a few random candidates that lies farthest
 * from those before it (Mitchell's best candidate, 1991); of one candidate where k is large.
 */
export function blobCentres(spec: GeneratorSpec): Float64Array {
  const { k, d } = spec
  const draws = new Draws(spec.seed, streams.generatedCentres)
  const candidates = Math.max(1, Math.min(maxCandidates, Math.floor(comparisons / (k * k * d))))
  const centres = new Float64Array(k * d)
  const candidate = new Float64Array(d)
  for (let centre = 0; centre < k; centre++) {
    let best = -1
    for (let trial = 0; trial < candidates; trial++) {
      for (let j = 0; j < d; j++) candidate[j] = coordinate(spec, j, draws.uniform(trial * d + j, centre))
      const apart = candidates === 1 ? 0 : nearestBefore(centres, centre, candidate)
      if (apart <= best) continue
      best = apart
      centres.set(candidate, centre * d)
    }
  }
  return centres
}

function coordinate(spec: GeneratorSpec, feature: number, uniform: number): number {
  const margin = marginOf(spec, feature)
  return margin + uniform * (extentOf(spec, feature) - 2 * margin)
}

/** Squared distance to the nearest of the first `count` centres, infinite when there is none. */
function nearestBefore(centres: Float64Array, count: number, point: Float64Array): number {
  const d = point.length
  let nearest = Infinity
  for (let centre = 0; centre < count; centre++) {
    let sum = 0
    for (let j = 0; j < d; j++) {
      const difference = point[j] - centres[centre * d + j]
      sum += difference * difference
    }
    if (sum < nearest) nearest = sum
  }
  return nearest
}
