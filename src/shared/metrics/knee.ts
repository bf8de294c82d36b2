/** How far the difference curve must fall after its maximum, in mean steps of x (Kneedle's S). */
const sensitivity = 1

/**
 * The knee of a falling, convex curve, such as inertia over k: Kneedle (Satopää, Albrecht, Irwin and Raghavan 2011, "Finding
 * a 'kneedle' in a haystack") with S = 1 and without smoothing, on the curve brought to the unit square.
 * @param x ascending @param y as long
 * @returns the x of the first knee; null where there is none, as on a straight or a rising curve or below three points
 */
export function kneeOf(x: readonly number[], y: readonly number[]): number | null {
  if (x.length < 3 || !(y[0] > y[y.length - 1])) return null
  const differences = differenceCurve(x, y)
  const step = 1 / (x.length - 1)
  let peak: number | null = null
  let threshold = 0
  for (let i = 1; i < differences.length; i++) {
    if (peak !== null && differences[i] < threshold) return x[peak]
    if (i + 1 === differences.length) break
    if (isMaximum(differences, i)) {
      peak = i
      threshold = differences[i] - sensitivity * step
    } else if (isMinimum(differences, i)) threshold = 0
  }
  return null
}

/** How far the curve lies below the line from its first to its last point, both axes from 0 to 1. */
function differenceCurve(x: readonly number[], y: readonly number[]): number[] {
  const [least, most] = [Math.min(...y), Math.max(...y)]
  const [first, last] = [x[0], x[x.length - 1]]
  return x.map((at, i) => 1 - (y[i] - least) / (most - least) - (at - first) / (last - first))
}

function isMaximum(values: readonly number[], i: number): boolean {
  return values[i] > values[i - 1] && values[i] >= values[i + 1]
}

function isMinimum(values: readonly number[], i: number): boolean {
  return values[i] <= values[i - 1] && values[i] < values[i + 1]
}
