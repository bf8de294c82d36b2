import { maxComponents } from '@shared/projection'
import type { Slices } from '../slices'
import type { CentredPoints } from './centred-points'
import { covarianceOf, covarianceOperator, matrixOperator, totalVarianceOf } from './covariance'
import { leadingEigenpairs } from './leading-eigenpairs'
import { symmetricEigen, type Eigenpairs } from './symmetric-eigen'
import { scale, unitVector } from './vectors'

/** Up to here all eigenpairs are computed, which takes about a second at most. */
const maxFeaturesForAll = 256

/** Up to here the covariance matrix is made (8 MiB at most); beyond, its n d² / 2 products cost more than they save. */
const maxFeaturesForMatrix = 1024

/** Magnitudes this close together are a tie, which roundings must not decide. */
const nearlyEqual = 1 - 1e-9

/** Orthonormal directions of largest variance (Pearson 1901), in engine units. */
export interface PrincipalComponents {
  /** At most `maxComponents`, each (d); the loading of largest magnitude (the first of equals) is positive. */
  readonly directions: readonly Float64Array[]
  /** Variance (1/n) along each, descending. */
  readonly variances: readonly number[]
  /** Over all features. */
  readonly totalVariance: number
}

/**
 * Principal components of points, deterministic. Cost O(n d²) up to 1024 features, O(n d) a step of the iteration
 * beyond; float64 throughout, in slices.
 * @throws LabError `cancelled`
 */
export async function principalComponents(
  points: CentredPoints,
  slices: Slices,
): Promise<PrincipalComponents> {
  const { d } = points
  const count = Math.min(maxComponents, d)
  const totalVariance = await totalVarianceOf(points, slices)
  if (totalVariance === 0) {
    const directions = Array.from({ length: count }, (_, i) => unitVector(d, i))
    return { directions, variances: directions.map(() => 0), totalVariance }
  }
  const { values, vectors } = await eigenpairs(points, count, slices)
  const directions = vectors.slice(0, count).map(withFixedSign)
  // Rounding may carry the variance of a direction in which nothing varies below 0.
  const variances = Array.from(values.subarray(0, count), (value) => Math.max(0, value))
  return { directions, variances, totalVariance }
}

async function eigenpairs(points: CentredPoints, count: number, slices: Slices): Promise<Eigenpairs> {
  const { d } = points
  if (d > maxFeaturesForMatrix) return await leadingEigenpairs(covarianceOperator(points), d, count, slices)
  const covariance = await covarianceOf(points, slices)
  if (d > maxFeaturesForAll) return await leadingEigenpairs(matrixOperator(covariance, d), d, count, slices)
  return await symmetricEigen(covariance, d, slices)
}

/** A direction and its opposite are the same component: the sign is a choice, always made alike. */
function withFixedSign(direction: Float64Array): Float64Array {
  const largest = direction.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const leading = direction.find((value) => Math.abs(value) >= largest * nearlyEqual) ?? 0
  if (leading < 0) scale(direction, -1)
  return direction
}
