import type { Points } from '../../engine'

/** One iteration in plain float64 loops, policy `keep`. */
export function reference({ x, n, d }: Points, centroids: Float32Array, k: number) {
  const labels = new Int32Array(n)
  const sums = new Float64Array(k * d)
  const counts = new Float64Array(k)
  let inertia = 0
  for (let i = 0; i < n; i++) {
    let smallest = Infinity
    for (let c = 0; c < k; c++) {
      let distance = 0
      for (let j = 0; j < d; j++) distance += (x[i * d + j] - centroids[c * d + j]) ** 2
      if (distance < smallest) {
        smallest = distance
        labels[i] = c
      }
    }
    inertia += smallest
    counts[labels[i]]++
    for (let j = 0; j < d; j++) sums[labels[i] * d + j] += x[i * d + j]
  }
  const means = Float64Array.from(sums, (sum, at) => {
    const members = counts[Math.floor(at / d)]
    return members > 0 ? sum / members : centroids[at]
  })
  const empty = counts.filter((members) => members === 0).length
  return { labels, means, inertia, empty, spread: totalSumOfSquares(x, n, d) + 1e-12 }
}

function totalSumOfSquares(x: Float32Array, n: number, d: number): number {
  let total = 0
  for (let j = 0; j < d; j++) {
    let sum = 0
    for (let i = 0; i < n; i++) sum += x[i * d + j]
    for (let i = 0; i < n; i++) total += (x[i * d + j] - sum / n) ** 2
  }
  return total
}
