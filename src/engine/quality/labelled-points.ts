import type { AnyPoints } from '../engines/engine'

/** Points with the cluster of each. */
export interface LabelledPoints {
  readonly points: AnyPoints
  /** (n) 0..k-1; -1 belongs to none. */
  readonly labels: Int32Array
  readonly k: number
}

/** Points in the order of their clusters. */
export interface ByCluster {
  /** (members) points of cluster 0 ascending, then those of cluster 1, ... */
  readonly order: Uint32Array
  /** (k + 1) the points of cluster c stand from starts[c] up to starts[c + 1]. */
  readonly starts: Uint32Array
}

/** A counting sort, O(n + k); points of no cluster are left out. */
export function byCluster(labels: Int32Array, k: number): ByCluster {
  const starts = new Uint32Array(k + 1)
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) starts[labels[i] + 1]++
  for (let cluster = 0; cluster < k; cluster++) starts[cluster + 1] += starts[cluster]
  const next = starts.slice(0, k)
  const order = new Uint32Array(starts[k])
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) order[next[labels[i]]++] = i
  return { order, starts }
}
