/** Bits of a point's contribution: |x| * scale <= 2^30 fits an i32, and its bias keeps it positive. */
const contributionBits = 30
/** Keeps the scale and its inverse normal float32 numbers. */
const smallestExponent = -96

/**
 * (2, d) powers of two: to fixed point, and back. The largest magnitude of a feature uses all 30 bits, so a
 * contribution is rounded by at most 2^-31 of it.
 */
export function fixedPointScales(maxAbs: Float32Array): Float32Array {
  const d = maxAbs.length
  const scales = new Float32Array(2 * d)
  for (let feature = 0; feature < d; feature++) {
    const bits = contributionBits - exponentOf(maxAbs[feature])
    scales[feature] = 2 ** bits
    scales[d + feature] = 2 ** -bits
  }
  return scales
}

/** Smallest e with value <= 2^e. */
function exponentOf(value: number): number {
  if (value === 0) return 0
  let exponent = Math.max(smallestExponent, Math.ceil(Math.log2(value)))
  while (value > 2 ** exponent) exponent++
  return exponent
}

/** A biased 64-bit sum of `members` contributions as float64, in engine units. */
export function sumFromWords(low: number, high: number, members: number, inverseScale: number): number {
  const biased = high * 2 ** 32 + low
  // Below 2^53 this is exact; above, the rounding is that of float64 sums.
  return biased < 2 ** 53
    ? (biased - members * 2 ** contributionBits) * inverseScale
    : Number((BigInt(high) << 32n) + BigInt(low) - (BigInt(members) << 30n)) * inverseScale
}
