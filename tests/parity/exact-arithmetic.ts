/**
 * Squared distances of float32 values in exact arithmetic: what canonical variants are held to (kernels/contract.md).
 * float64 decides where it provably can, whole numbers the rest.
 */
import type { Coordinates, Points } from '@engine/engines/engine'
import { clustersInPlay, squaredDistance } from './reference'

/** Units 2^-53 that a float64 sum of squares may be off by, for each feature; generous. */
const roundingUnit = 4 * 2 ** -53
const word = new DataView(new ArrayBuffer(4))

/** A float32 as a whole number of 2^-149. */
export function wholeNumber(value: number): bigint {
  word.setFloat32(0, value)
  const bits = word.getUint32(0)
  const exponent = (bits >>> 23) & 0xff
  const mantissa = (bits & 0x7fffff) + (exponent > 0 ? 0x800000 : 0)
  const whole = BigInt(mantissa) << BigInt(Math.max(0, exponent - 1))
  return bits >>> 31 === 1 ? -whole : whole
}

/** |x - c|^2 as a whole number of 2^-298. */
export function exactSquare({ x, d }: Points, i: number, centroids: Coordinates, c: number): bigint {
  let sum = 0n
  for (let j = 0; j < d; j++) {
    const difference = wholeNumber(x[i * d + j]) - wholeNumber(centroids[c * d + j])
    sum += difference * difference
  }
  return sum
}

/** (n) the nearest centroid in play of each point, the lowest index among equals, exactly. */
export function exactLabels(points: Points, centroids: Coordinates, k: number): Int32Array {
  const inPlay = clustersInPlay(centroids, k, points.d)
  const distances = new Float64Array(inPlay.length)
  return Int32Array.from({ length: points.n }, (_, i) => {
    let least = Number.POSITIVE_INFINITY
    inPlay.forEach((c, position) => {
      distances[position] = squaredDistance(points, i, centroids, c)
      least = Math.min(least, distances[position])
    })
    const bound = least * (1 + (points.d + 4) * roundingUnit)
    return nearestExactly(
      points,
      i,
      centroids,
      inPlay.filter((_c, position) => distances[position] <= bound),
    )
  })
}

/** @param candidates in ascending order */
function nearestExactly(
  points: Points,
  i: number,
  centroids: Coordinates,
  candidates: readonly number[],
): number {
  const [first, ...others] = candidates
  if (others.length === 0) return first
  let best = first
  let smallest = exactSquare(points, i, centroids, best)
  for (const c of others) {
    const square = exactSquare(points, i, centroids, c)
    if (square < smallest) [best, smallest] = [c, square]
  }
  return best
}
