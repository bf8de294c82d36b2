/** Steps of a float32 to 1: every float32 is a whole number of them. */
const steps = 2 ** 149

const whole = (value: number) => BigInt(value * steps)

/** The squared distance of a row of `x` (n, d) to a row of `centroids` (k, d), exactly, in squared steps. */
export function exactDistance(
  x: Float32Array,
  row: number,
  centroids: Float32Array,
  cluster: number,
  d: number,
): bigint {
  let sum = 0n
  for (let j = 0; j < d; j++) sum += (whole(x[row * d + j]) - whole(centroids[cluster * d + j])) ** 2n
  return sum
}
