import { LabError } from '@shared/errors'
import { squaredDistance } from '@shared/metrics/distance'
import type { Points } from '../engines/engine'
import { Slices } from '../slices'

/** What the final labels come to against the final centroids, engine units. */
export interface FinalPass {
  /** (k) members. */
  readonly sizes: Float64Array
  /** (k) sum of squared distances of the members, float64. */
  readonly inertias: Float64Array
  readonly inertia: number
}

const blockPoints = 1024

/**
 * Sizes and inertias computed once more on the host, so that what is exported is consistent whatever the engine
 * did. O(n d) in float64, in slices. A label outside 0..k-1, or of a dropped cluster, is a fault of an engine.
 */
export async function finalPass(
  points: Points,
  centroids: Float32Array | Float64Array,
  labels: Int32Array,
  k: number,
  signal: AbortSignal,
): Promise<FinalPass> {
  const sizes = new Float64Array(k)
  const inertias = new Float64Array(k)
  const slices = new Slices(signal)
  for (let start = 0; start < points.n; start += blockPoints) {
    const end = Math.min(points.n, start + blockPoints)
    for (let i = start; i < end; i++) {
      const label = labels[i]
      sizes[label]++
      inertias[label] += squaredDistance(points.x, i, centroids, label, points.d)
    }
    await slices.next()
  }
  const inertia = inertias.reduce((sum, value) => sum + value, 0)
  const counted = sizes.reduce((sum, value) => sum + value, 0)
  if (counted !== points.n || !Number.isFinite(inertia)) {
    throw new LabError(
      'internal',
      'run.inconsistent-labels',
      'The engine gave labels that do not fit its centroids: choose another variant and please report this.',
    )
  }
  return { sizes, inertias, inertia }
}
