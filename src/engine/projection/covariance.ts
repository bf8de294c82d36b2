import type { Slices } from '../slices'
import type { CentredPoints } from './centred-points'
import type { SymmetricOperator } from './leading-eigenpairs'
import { addMultiple, dot } from './vectors'

/** Points whose products are summed at once: each element of the matrix is loaded and stored that much less. */
const together = 4

/** Covariance (d, d) with 1/n, row-major, float64, engine units. Cost n d² / 2 multiply-adds, in slices. */
export async function covarianceOf(points: CentredPoints, slices: Slices): Promise<Float64Array> {
  const { n, d } = points
  const sums = new Float64Array(d * d)
  await points.eachBlock(together, slices, ([a, b, c, e]) => {
    for (let i = 0; i < d; i++) {
      const ai = a[i]
      const bi = b[i]
      const ci = c[i]
      const ei = e[i]
      const row = i * d
      for (let j = i; j < d; j++) sums[row + j] += ai * a[j] + bi * b[j] + ci * c[j] + ei * e[j]
    }
  })
  for (let i = 0; i < d; i++) for (let j = i; j < d; j++) sums[j * d + i] = sums[i * d + j] /= n
  return sums
}

/** Sum of the variances (1/n) of all features. Cost O(n d). */
export async function totalVarianceOf(points: CentredPoints, slices: Slices): Promise<number> {
  const squares = new Float64Array(points.d)
  await points.eachBlock(1, slices, ([row]) => {
    for (let j = 0; j < row.length; j++) squares[j] += row[j] * row[j]
  })
  return squares.reduce((sum, one) => sum + one, 0) / points.n
}

/** A matrix (d, d) applied to vectors. Cost d² a vector. */
export function matrixOperator(matrix: Float64Array, d: number): SymmetricOperator {
  return async (vectors, slices) => {
    const images = vectors.map(() => new Float64Array(d))
    for (let i = 0; i < d; i++) {
      const row = matrix.subarray(i * d, (i + 1) * d)
      for (const [l, vector] of vectors.entries()) images[l][i] = dot(row, vector)
      await slices.next()
    }
    return images
  }
}

/** The covariance applied to vectors without being made: Xᵀ(X v) / n. Cost 2 n d a vector. */
export function covarianceOperator(points: CentredPoints): SymmetricOperator {
  return async (vectors, slices) => {
    const images = vectors.map(() => new Float64Array(points.d))
    await points.eachBlock(1, slices, ([row]) => {
      for (const [l, vector] of vectors.entries()) addMultiple(images[l], dot(row, vector) / points.n, row)
    })
    return images
  }
}
