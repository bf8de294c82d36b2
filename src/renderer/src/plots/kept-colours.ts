/** Which clusters of a new result are those of the one before it, so that they keep their colours and names. */
import { matchClusters } from '@shared/metrics/cluster-matching'
import { ContingencyCounter } from '@shared/metrics/contingency'
import type { ColourSlots } from './palette'

/** Rows that are compared: enough to tell which clusters overlap most. */
const maxRows = 200_000
/** Beyond so many clusters colours tell little, and matching takes long. */
const maxClusters = 256

/** By cluster of the new result that of the old one which it overlaps most, each once; -1 for none. @param labels (rows), -1: left out */
export function matchingClusters(
  before: { readonly k: number; readonly labels: Int32Array },
  after: { readonly k: number; readonly labels: Int32Array },
): readonly number[] {
  const none = Array<number>(after.k).fill(-1)
  if (Math.max(before.k, after.k) > maxClusters || before.labels.length !== after.labels.length) return none
  const step = Math.max(1, Math.ceil(after.labels.length / maxRows))
  const counter = new ContingencyCounter(after.k, before.k, Math.ceil(after.labels.length / step))
  for (let row = 0; row < after.labels.length; row += step) {
    const [is, was] = [after.labels[row] ?? -1, before.labels[row] ?? -1]
    if (is >= 0 && was >= 0) counter.add(is, was)
  }
  return Array.from(finished(matchClusters(finished(counter.table()))))
}

function finished<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** The slots of the matched clusters stay; the others take the first that are free. */
export function keptSlots(
  before: { readonly k: number; readonly slots: ColourSlots | undefined },
  matched: readonly number[],
): ColourSlots {
  const slotBefore = (cluster: number): number => before.slots?.of[cluster] ?? cluster
  const taken = new Set(matched.filter((cluster) => cluster >= 0).map(slotBefore))
  let free = 0
  const next = (): number => {
    while (taken.has(free)) free++
    taken.add(free)
    return free
  }
  const of = matched.map((cluster) => (cluster >= 0 ? slotBefore(cluster) : next()))
  return { of, size: Math.max(before.slots?.size ?? before.k, ...of.map((slot) => slot + 1)) }
}
