import { quantiles } from '../dataset/order-statistics'
import type { Slices } from '../slices'
import type { FileValues } from './file-values'
import type { ByCluster } from './labelled-points'
import type { Moments } from './moments-of-rows'

/** Values that are sorted rather than selected. */
const maxSorted = 1 << 15
const quarters = [0.25, 0.5, 0.75] as const

/** One feature of one group of rows, units of the file. */
export interface GroupProfile {
  readonly moments: Moments
  readonly min: number
  readonly max: number
  /** q25, median, q75. */
  readonly quartiles: readonly number[]
}

/** Of a feature, what the whole and each cluster is like. O(n), in slices. @throws LabError `cancelled` */
export async function profileColumn(
  values: FileValues,
  { order, starts }: ByCluster,
  slices: Slices,
): Promise<{ readonly whole: GroupProfile; readonly clusters: readonly GroupProfile[] }> {
  const gathered = new Float64Array(order.length)
  for (let at = 0; at < order.length; at++) {
    gathered[at] = values.at(order[at])
    if (at % maxSorted === 0) await slices.next()
  }
  const whole = await groupProfile(gathered, slices)
  const clusters: GroupProfile[] = []
  for (let cluster = 0; cluster + 1 < starts.length; cluster++) {
    clusters.push(await groupProfile(gathered.subarray(starts[cluster], starts[cluster + 1]), slices))
  }
  return { whole, clusters }
}

async function groupProfile(values: Float64Array, slices: Slices): Promise<GroupProfile> {
  const [q25, median, q75] = await quartilesOf(values, slices)
  // About a value amid the others, so that no digit is lost to a large offset.
  let [min, max, sum] = [Infinity, -Infinity, 0]
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value - median
  }
  const shift = sum / values.length
  let squares = 0
  for (const value of values) squares += (value - median - shift) ** 2
  await slices.next()
  const none = values.length === 0
  const moments = { count: values.length, mean: none ? 0 : median + shift, squares }
  return { moments, min: none ? NaN : min, max: none ? NaN : max, quartiles: [q25, median, q75] }
}

async function quartilesOf(values: Float64Array, slices: Slices): Promise<readonly number[]> {
  if (values.length > maxSorted) {
    return quantiles({ length: values.length, at: (i) => values[i] }, quarters, slices)
  }
  const sorted = values.slice().sort()
  return quarters.map((share) => {
    const position = share * (sorted.length - 1)
    const low = Math.floor(position)
    const [below, above] = [sorted[low], sorted[Math.ceil(position)]]
    return below + (above - below) * (position - low)
  })
}
