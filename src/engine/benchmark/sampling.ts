import type { Shape } from '../auto/cost-model'

/** Float64 multiply-adds of one look at the labels: under a second. */
export const mostProducts = 2e8
const leastSampled = 1000

/** Points whose labels are compared with float64 distances: all, or a sample where that would take long. */
export function pointsChecked({ n, d, k }: Shape): number {
  return Math.min(n, Math.max(leastSampled, Math.floor(mostProducts / (d * k))))
}
