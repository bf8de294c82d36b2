import type { Slices } from '../slices'
import { onAddon, type Readable } from './on-addon'

const bins = 1 << 16
const blockValues = 1 << 16

/** Values that are sorted rather than counted once more. */
const maxSorted = 1 << 15

/** 16-bit digits of a float64. */
const digits = 4

/** Values by position; NaN is left out. */
export interface Series extends Readable {
  at(position: number): number
}

/**
 * Quantiles of float64 values, interpolated between neighbours as NumPy's default does. Counting passes over the bits, 16 at a
 * time (a radix selection): O(n), no copy, given way between blocks.
 * @returns one quantile for each share in 0..1; NaN when there is no value
 */
export async function quantiles(
  values: Series,
  shares: readonly number[],
  slices: Slices,
): Promise<readonly number[]> {
  const own = onAddon([values])
  if (own !== null) {
    const found = own.addon.columnNeighbours(own.columns[0], Float64Array.from(shares))
    const neighbours = await slices.elsewhere(found)
    return shares.map((_, i) => {
      const [low, high, part] = neighbours.subarray(3 * i, 3 * i + 3)
      return low + (high - low) * part
    })
  }
  const neighbours = (count: number) =>
    shares.flatMap((share) => [Math.floor(share * (count - 1)), Math.ceil(share * (count - 1))])
  const { count, at } = await byRank(values, neighbours, slices)
  if (count === 0) return shares.map(() => NaN)
  return shares.map((share) => {
    const position = share * (count - 1)
    const [low, high] = [at(Math.floor(position)), at(Math.ceil(position))]
    return low + (high - low) * (position - Math.floor(position))
  })
}

/** The value of a rank from 0, exactly. @throws RangeError when there are not as many values */
export async function valueOfRank(values: Series, rank: number, slices: Slices): Promise<number> {
  const { count, at } = await byRank(values, () => [rank], slices)
  if (rank >= count) throw new RangeError(`rank ${rank} of ${count} values`)
  return at(rank)
}

/** Values whose keys begin alike, at least one of which is asked for. */
interface Group {
  /** The digits known so far, the others 0: the upper and the lower half of the key, as int32. */
  readonly upper: number
  readonly lower: number
  /** How many values of the series lie below, and how many there are. */
  readonly below: number
  readonly count: number
  readonly ranks: readonly number[]
}

interface Ranked {
  readonly count: number
  /** The value of a rank that was asked for. */
  at(rank: number): number
}

/** @param wanted ranks from 0, given the number of values */
async function byRank(
  values: Series,
  wanted: (count: number) => readonly number[],
  slices: Slices,
): Promise<Ranked> {
  const first = new Float64Array(bins)
  await eachKey(values, slices, (upper) => first[upper >>> 16]++)
  const count = first.reduce((sum, inBin) => sum + inBin, 0)
  if (count === 0) return { count, at: () => NaN }
  const all: Group = { upper: 0, lower: 0, below: 0, count, ranks: [...new Set(wanted(count))] }
  let groups = split(all, first, 0)
  let known = 1
  while (known < digits && groups.reduce((sum, group) => sum + group.count, 0) > maxSorted) {
    const counts = await countDigit(values, groups, known, slices)
    groups = groups.flatMap((group, i) => split(group, counts[i], known))
    known++
  }
  const found =
    known === digits
      ? new Map(
          groups.flatMap(({ ranks, upper, lower }) => ranks.map((rank) => [rank, floatOf(upper, lower)])),
        )
      : await sorted(values, groups, known, slices)
  return { count, at: (rank) => found.get(rank) ?? NaN }
}

/** A group by its next digit: the parts in which a rank lies. */
function split({ upper, lower, below, ranks }: Group, counts: Float64Array, digit: number): Group[] {
  const parts: Group[] = []
  let under = below
  for (let bin = 0; bin < bins; bin++) {
    const count = counts[bin]
    const inside = ranks.filter((rank) => rank >= under && rank < under + count)
    if (inside.length > 0) {
      const bits = digit % 2 === 0 ? bin << 16 : bin
      const part = digit < 2 ? { upper: upper | bits, lower } : { upper, lower: lower | bits }
      parts.push({ ...part, below: under, count, ranks: inside })
    }
    under += count
  }
  return parts
}

async function countDigit(values: Series, groups: readonly Group[], digit: number, slices: Slices) {
  const counts = groups.map(() => new Float64Array(bins))
  const groupOf = finder(groups, digit)
  const shift = digit % 2 === 0 ? 16 : 0
  await eachKey(values, slices, (upper, lower) => {
    const group = groupOf(upper, lower)
    if (group >= 0) counts[group][((digit < 2 ? upper : lower) >>> shift) & 0xffff]++
  })
  return counts
}

async function sorted(values: Series, groups: readonly Group[], known: number, slices: Slices) {
  const members = groups.map(({ count }) => new Float64Array(count))
  const filled = groups.map(() => 0)
  const groupOf = finder(groups, known)
  await eachKey(values, slices, (upper, lower, value) => {
    const group = groupOf(upper, lower)
    if (group >= 0) members[group][filled[group]++] = value
  })
  for (const own of members) own.sort()
  return new Map(
    groups.flatMap(({ ranks, below }, i) => ranks.map((rank) => [rank, members[i][rank - below]])),
  )
}

/** Which group a key belongs to by its first `known` digits; -1 for none. */
function finder(groups: readonly Group[], known: number): (upper: number, lower: number) => number {
  const upperMask = known === 1 ? 0xffff0000 | 0 : -1
  const lowerMask = known < 3 ? 0 : 0xffff0000 | 0
  const uppers = Int32Array.from(groups, ({ upper }) => upper)
  const lowers = Int32Array.from(groups, ({ lower }) => lower)
  return (upper, lower) => {
    for (let i = 0; i < uppers.length; i++) {
      if ((upper & upperMask) === uppers[i] && (lower & lowerMask) === lowers[i]) return i
    }
    return -1
  }
}

const float = new Float64Array(1)
const halves = new Int32Array(float.buffer)
/** Which half stands first is the processor's affair. */
const [upperHalf, lowerHalf] = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? [1, 0] : [0, 1]

type VisitKey = (upper: number, lower: number, value: number) => void

/** Keys in the order of the numbers, as unsigned: negative ones have all bits turned, the others the sign bit set. */
async function eachKey(values: Series, slices: Slices, visit: VisitKey): Promise<void> {
  for (let start = 0; start < values.length; start += blockValues) {
    const end = Math.min(values.length, start + blockValues)
    for (let i = start; i < end; i++) {
      const value = values.at(i)
      if (Number.isNaN(value)) continue
      float[0] = value
      const turned = halves[upperHalf] >> 31
      visit(halves[upperHalf] ^ (turned | 0x80000000), halves[lowerHalf] ^ turned, value)
    }
    await slices.next()
  }
}

function floatOf(upper: number, lower: number): number {
  const turned = ~(upper >> 31)
  halves[upperHalf] = upper ^ (turned | 0x80000000)
  halves[lowerHalf] = lower ^ turned
  return float[0]
}
