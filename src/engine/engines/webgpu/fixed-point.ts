/** Bits of a point's contribution: |x| * scale <= 2^30 fits an i32, and its bias keeps it positive. */
const contributionBits = 30
/** Keeps the scale and its inverse normal float32 numbers. */
const smallestExponent = -96

/** Bits of a sum of the contract, and the largest power that a float32 holds. */
const sumBits = 62
const largestPower = 126

/**
 * (3, d) powers of two: to fixed point, back, and from what is left of a coordinate to the finer steps of the contract
 * (kernels/common/fixed_point.hpp). The largest magnitude of a feature uses all 30 bits, so that little is left of most.
 */
export function fixedPointScales(maxAbs: Float32Array, n: number): Float32Array {
  const d = maxAbs.length
  const scales = new Float32Array(3 * d)
  for (let feature = 0; feature < d; feature++) {
    const bits = contributionBits - exponentOf(maxAbs[feature])
    scales[feature] = 2 ** bits
    scales[d + feature] = 2 ** -bits
    scales[2 * d + feature] = 2 ** (sumPower(maxAbs[feature], n) - bits)
  }
  return scales
}

/** The exponent of the contract's fixed point: n coordinates below 2^e, the largest one's, stay below 2^62. */
export function sumPower(largest: number, n: number): number {
  const bits = Math.ceil(Math.log2(n))
  const exponent = exponentOf(largest)
  // Strictly below, as frexp has it.
  const above = largest === 2 ** exponent ? exponent + 1 : exponent
  return Math.min(sumBits - bits - above, largestPower)
}

/** Smallest e with value <= 2^e. */
function exponentOf(value: number): number {
  if (value === 0) return 0
  let exponent = Math.max(smallestExponent, Math.ceil(Math.log2(value)))
  while (value > 2 ** exponent) exponent++
  return exponent
}

/**
 * A sum of `members` contributions as float64, rounded once, in engine units: biased low and high word, and the rests.
 * @param steps rests of a contribution, a power of two; @param unit value of a rest
 */
export function sumFromWords(
  { low, high, rest }: { readonly low: number; readonly high: number; readonly rest: number },
  members: number,
  steps: number,
  unit: number,
): number {
  const biased = high * 2 ** 32 + low
  // Below 2^53 the sum of contributions is exact; above, integers of any length have it.
  if (biased < 2 ** 53) return ((biased - members * 2 ** contributionBits) * steps + rest) * unit
  const whole = (BigInt(high) << 32n) + BigInt(low) - (BigInt(members) << BigInt(contributionBits))
  return Number(whole * BigInt(steps) + BigInt(rest)) * unit
}

/** To the nearest whole number, halves to the even one. */
export function toEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value - Math.trunc(value)) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}
