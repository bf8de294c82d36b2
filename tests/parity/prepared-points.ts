import type { PreparedPoints } from '@engine/dataset/prepared'
import type { Points } from '@engine/engines/engine'
import { totalSumOfSquares } from './reference'

/** Points with the way back that a dataset would give them: `file value = engine value * 2^exponent`. */
export function preparedPoints(points: Points, exponent = 0): PreparedPoints {
  const { n, d } = points
  const squares = totalSumOfSquares(points) * 4 ** exponent
  return {
    ...points,
    preparation: { features: [...Array(d).keys()], missing: 'drop', scaling: 'none' },
    location: { in: 'memory', reason: null },
    rows: null,
    exponent,
    transform: {
      offset: new Float64Array(d),
      step: new Float64Array(d).fill(2 ** exponent),
      fill: null,
    },
    meanVariance: squares / (n * d),
    totalSumOfSquares: squares,
    roundedSquares: new Float64Array(d),
    droppedRows: 0,
    filledCells: 0,
    filteredRows: new Uint32Array(),
    leftOutRows: new Uint32Array(),
    toEngine: (centroids) => Float32Array.from(centroids, (value) => value * 2 ** -exponent),
    toFile: (centroids) => Float64Array.from(centroids, (value) => value * 2 ** exponent),
    memberMeans: (labels, k) => Promise.resolve(memberMeans(points, labels, k, exponent)),
  }
}

function memberMeans({ x, d }: Points, labels: Int32Array, k: number, exponent: number): Float64Array {
  const sums = new Float64Array(k * d)
  const sizes = new Float64Array(k)
  labels.forEach((label, i) => {
    sizes[label]++
    for (let j = 0; j < d; j++) sums[label * d + j] += x[i * d + j] * 2 ** exponent
  })
  return sums.map((sum, at) => sum / sizes[Math.floor(at / d)])
}
