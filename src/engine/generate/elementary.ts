/**
 * Functions of random words made of +, -, * and square roots alone, which every machine rounds alike; what
 * Math.log and Math.sin answer in the last digit depends on who built the program.
 */
const ln2 = 0.6931471805599453
const halfPi = 1.5707963267948966
const squareRootOfHalf = 0.7071067811865476
const squareRootOfTwo = 1.4142135623730951

/** ln((word + 1) / 2^32) of a 32-bit word, at most 0. Series of atanh on [sqrt(1/2), sqrt(2)], error below 1e-15. */
export function logarithm(word: number): number {
  if (word === 0xffffffff) return 0
  const value = word + 1
  let power = 31 - Math.clz32(value)
  let mantissa = value / ((1 << power) >>> 0)
  if (mantissa > squareRootOfTwo) {
    mantissa /= 2
    power++
  }
  const z = (mantissa - 1) / (mantissa + 1)
  const z2 = z * z
  const sum =
    1 +
    z2 *
      (1 / 3 +
        z2 * (1 / 5 + z2 * (1 / 7 + z2 * (1 / 9 + z2 * (1 / 11 + z2 * (1 / 13 + z2 * furtherTerms(z2)))))))
  return (power - 32) * ln2 + 2 * z * sum
}

/** From the seventh term of the series of atanh on. */
function furtherTerms(z2: number): number {
  return 1 / 15 + z2 * (1 / 17 + z2 * (1 / 19))
}

/** Cosine and sine of `word / 2^32` of a full turn, to `out[at]` and `out[at + 1]`; error below 1e-15. */
export function turn(word: number, out: Float64Array, at: number): void {
  // Within a quarter turn, from its middle: the Taylor series need to reach no further than an eighth.
  const x = ((word & 0x3fffffff) / 2 ** 30 - 0.5) * halfPi
  const x2 = x * x
  const sine = x * sineOver(x2)
  const cosine = cosineOf(x2)
  const s = (sine + cosine) * squareRootOfHalf
  const c = (cosine - sine) * squareRootOfHalf
  const quarter = word >>> 30
  out[at] = quarter === 0 ? c : quarter === 1 ? -s : quarter === 2 ? -c : s
  out[at + 1] = quarter === 0 ? s : quarter === 1 ? c : quarter === 2 ? -s : -c
}

/** sin(x)/x of x². */
function sineOver(x2: number): number {
  const small = 1 - x2 * (1 / 110) * (1 - x2 * (1 / 156) * (1 - x2 * (1 / 210)))
  return 1 - x2 * (1 / 6) * (1 - x2 * (1 / 20) * (1 - x2 * (1 / 42) * (1 - x2 * (1 / 72) * small)))
}

/** cos(x) of x². */
function cosineOf(x2: number): number {
  const small = 1 - x2 * (1 / 90) * (1 - x2 * (1 / 132) * (1 - x2 * (1 / 182) * (1 - x2 * (1 / 240))))
  return 1 - x2 * (1 / 2) * (1 - x2 * (1 / 12) * (1 - x2 * (1 / 30) * (1 - x2 * (1 / 56) * small)))
}

/** Two independent standard normal numbers of two words (Box and Muller 1958), to `out[at]` and `out[at + 1]`. */
export function normalPair(first: number, second: number, out: Float64Array, at: number): void {
  const radius = Math.sqrt(-2 * logarithm(first))
  turn(second, out, at)
  out[at] *= radius
  out[at + 1] *= radius
}
