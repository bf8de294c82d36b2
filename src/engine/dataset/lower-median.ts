import type { Slices } from '../slices'
import { onAddon } from './on-addon'
import { valueOfRank, type Series } from './order-statistics'

const blockValues = 1 << 16

/** Values looked at to find out where about the middle lies. */
const sampled = 4096
/** Half of the share of the sample between which the middle is looked for: some four standard deviations of its rank. */
const margin = 1 / 32

export interface LowerMedian {
  readonly low: number
  /** Of an even number of values the lower one of the two in the middle. */
  readonly middle: number
  readonly high: number
}

/** Of all values but NaN, exactly; NaN when there is none. Mostly in a single pass. */
export async function lowerMedian(values: Series, slices: Slices): Promise<LowerMedian> {
  const own = onAddon([values])
  if (own !== null) {
    const shares = Float64Array.of(0, 0.5, 1)
    const [low, , , middle, , , high] = await slices.elsewhere(
      own.addon.columnNeighbours(own.columns[0], shares),
    )
    return { low, middle, high }
  }
  const near = await gather(values, bracket(values), slices)
  const { low, high, count, below, inside, within } = near
  if (count === 0) return { low: NaN, middle: NaN, high: NaN }
  const rank = Math.floor((count - 1) / 2)
  const index = rank - below
  const isInside = index >= 0 && index < within && within <= inside.length
  const middle = isInside ? inside.subarray(0, within).sort()[index] : await valueOfRank(values, rank, slices)
  return { low, middle, high }
}

interface Bracket {
  readonly from: number
  readonly to: number
}

/** Between what values the middle lies, judged by some of them, evenly spread over the rows. */
function bracket(values: Series): Bracket {
  const step = Math.max(1, Math.floor(values.length / sampled))
  const sample = new Float64Array(Math.ceil(values.length / step))
  let size = 0
  for (let at = 0; at < values.length; at += step) {
    const value = values.at(at)
    if (!Number.isNaN(value)) sample[size++] = value
  }
  if (step === 1) return { from: -Infinity, to: Infinity }
  const sorted = sample.subarray(0, size).sort()
  const at = (share: number) => sorted[Math.round(share * (size - 1))] ?? 0
  return { from: at(0.5 - margin), to: at(0.5 + margin) }
}

/** Counts what lies below the bracket and keeps what lies in it, as far as there is room. */
async function gather(values: Series, { from, to }: Bracket, slices: Slices) {
  const inside = new Float64Array(Math.max(2 * sampled, Math.ceil(values.length / 8)))
  let [low, high, count, below, within] = [Infinity, -Infinity, 0, 0, 0]
  for (let start = 0; start < values.length; start += blockValues) {
    const end = Math.min(values.length, start + blockValues)
    for (let i = start; i < end; i++) {
      const value = values.at(i)
      if (Number.isNaN(value)) continue
      count++
      if (value < low) low = value
      if (value > high) high = value
      if (value < from) below++
      // Writing beyond the end does nothing; how many there were is known.
      else if (value <= to) inside[within++] = value
    }
    await slices.next()
  }
  return { low, high, count, below, within, inside }
}
