/** Which clusters of a new result are those of the one before it, so that they keep their colours and names. */
import { matchClusters } from '@shared/metrics/cluster-matching'
import { ContingencyCounter } from '@shared/metrics/contingency'
import { spreadRows } from '@shared/spread-rows'
import { clusterColour, type Rgb } from './colours'
import type { ColourSlot, ColourSlots } from './palette'

/** Rows that are compared: enough to tell which clusters overlap most. */
const maxRows = 1 << 16
/** Beyond so many clusters colours tell little, and matching takes long. */
const maxClusters = 256

/** By cluster of the new result that of the old one which it overlaps most, each once; -1 for none. @param labels (rows), -1: left out */
export function matchingClusters(
  before: { readonly k: number; readonly labels: Int32Array },
  after: { readonly k: number; readonly labels: Int32Array },
): readonly number[] {
  const none = Array<number>(after.k).fill(-1)
  if (Math.max(before.k, after.k) > maxClusters || before.labels.length !== after.labels.length) return none
  const rows = spreadRows(after.labels.length, maxRows)
  const counter = new ContingencyCounter(after.k, before.k, rows.length)
  for (const row of rows) {
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

/**
 * The slots of the matched clusters stay, whatever the number of clusters; the others take the first of the palette for so many that
 * looks like none in use.
 */
export function keptSlots(
  before: { readonly k: number; readonly slots: ColourSlots | undefined },
  matched: readonly number[],
): ColourSlots {
  const slotBefore = (cluster: number): ColourSlot =>
    before.slots?.[cluster] ?? { position: cluster, size: before.k }
  const taken = matched.filter((cluster) => cluster >= 0).map(slotBefore)
  const next = (): ColourSlot => {
    const slot = unlikeAll(taken, matched.length)
    taken.push(slot)
    return slot
  }
  return matched.map((cluster) => (cluster >= 0 ? slotBefore(cluster) : next()))
}

/** Bytes of red, green and blue together: colours nearer than this are taken for one another. */
const minDifference = 70

/** Of as many positions as there can be taken and one more: the first that differs enough, else the one that differs most. */
function unlikeAll(taken: readonly ColourSlot[], size: number): ColourSlot {
  const colours = taken.map(rgbOf)
  const differences = Array.from({ length: taken.length + 1 }, (_, position) => {
    const own = rgbOf({ position, size })
    return Math.min(Infinity, ...colours.map((colour) => difference(own, colour)))
  })
  const enough = differences.findIndex((least) => least >= minDifference)
  const position = enough >= 0 ? enough : differences.indexOf(Math.max(...differences))
  return { position, size }
}

const rgbOf = ({ position, size }: ColourSlot): Rgb => clusterColour(position, size)

const difference = ([r, g, b]: Rgb, [red, green, blue]: Rgb): number =>
  Math.hypot(r - red, g - green, b - blue)
