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
  let sum = 1 / 19
  for (let odd = 17; odd >= 1; odd -= 2) sum = sum * z2 + 1 / odd
  return (power - 32) * ln2 + 2 * z * sum
}

/** Cosine and sine of `word / 2^32` of a full turn, to `out[at]` and `out[at + 1]`; error below 1e-15. */
export function turn(word: number, out: Float64Array, at: number): void {
  // Within a quarter turn, from its middle: the Taylor series need to reach no further than an eighth.
  const x = ((word & 0x3fffffff) / 2 ** 30 - 0.5) * halfPi
  const x2 = x * x
  const sine = x * taylor(x2, 15)
  const cosine = taylor(x2, 16)
  const s = (sine + cosine) * squareRootOfHalf
  const c = (cosine - sine) * squareRootOfHalf
  const quarter = word >>> 30
  out[at] = quarter === 0 ? c : quarter === 1 ? -s : quarter === 2 ? -c : s
  out[at + 1] = quarter === 0 ? s : quarter === 1 ? c : quarter === 2 ? -s : -c
}

/** 1 - x²/(m(m-1)) (1 - x²/((m-2)(m-3)) (...)): sin(x)/x from an odd `m`, cos(x) from an even one. */
function taylor(x2: number, last: number): number {
  let sum = 1
  for (let m = last; m >= 2; m -= 2) sum = 1 - (x2 / (m * (m - 1))) * sum
  return sum
}

/** Two independent standard normal numbers of two words (Box and Muller 1958), to `out[at]` and `out[at + 1]`. */
export function normalPair(first: number, second: number, out: Float64Array, at: number): void {
  const radius = Math.sqrt(-2 * logarithm(first))
  turn(second, out, at)
  out[at] *= radius
  out[at + 1] *= radius
}
