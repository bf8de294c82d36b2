import type { Slices } from '../slices'

const bins = 1 << 16
const blockValues = 1 << 16

/** Values by position; NaN is left out. */
export interface Series {
  readonly length: number
  at(position: number): number
}

/**
 * Quantiles of float32 values, interpolated between neighbours as NumPy's default does. Two counting passes over
 * the bits, upper half then lower half (a radix selection): O(n), no copy, given way between blocks.
 * @returns one quantile for each share in 0..1; NaN when there is no value
 */
export async function quantiles(
  values: Series,
  shares: readonly number[],
  slices: Slices,
): Promise<readonly number[]> {
  const upper = new Float64Array(bins)
  await eachKey(values, slices, (key) => upper[key >>> 16]++)
  const count = upper.reduce((sum, inBin) => sum + inBin, 0)
  if (count === 0) return shares.map(() => NaN)
  const places = shares.map((share) => share * (count - 1))
  const ranks = [...new Set(places.flatMap((place) => [Math.floor(place), Math.ceil(place)]))]
  const found = await valuesAt(values, ranks, upper, slices)
  return places.map((place) => {
    const [low, high] = [found(Math.floor(place)), found(Math.ceil(place))]
    return low + (high - low) * (place - Math.floor(place))
  })
}

/** Values by rank: the upper halves say in which bin a rank lies, a second pass counts the lower halves there. */
async function valuesAt(
  values: Series,
  ranks: readonly number[],
  upper: Float64Array,
  slices: Slices,
): Promise<(rank: number) => number> {
  const places = new Map(ranks.map((rank) => [rank, binOf(upper, rank)]))
  const lower = new Map([...places.values()].map(({ bin }) => [bin, new Float64Array(bins)]))
  await eachKey(values, slices, (key) => {
    const counts = lower.get(key >>> 16)
    if (counts !== undefined) counts[key & 0xffff]++
  })
  return (rank) => {
    const { bin, below } = places.get(rank) ?? { bin: 0, below: 0 }
    const counts = lower.get(bin) ?? new Float64Array(bins)
    return floatOf(((bin << 16) | binOf(counts, rank - below).bin) >>> 0)
  }
}

/** The bin a rank falls into, and how many values lie in the bins below it. */
function binOf(counts: Float64Array, rank: number): { readonly bin: number; readonly below: number } {
  let below = 0
  for (let bin = 0; bin < bins; bin++) {
    if (below + counts[bin] > rank) return { bin, below }
    below += counts[bin]
  }
  return { bin: bins - 1, below }
}

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

async function eachKey(values: Series, slices: Slices, visit: (key: number) => void): Promise<void> {
  for (let start = 0; start < values.length; start += blockValues) {
    const end = Math.min(values.length, start + blockValues)
    for (let i = start; i < end; i++) {
      const value = values.at(i)
      if (!Number.isNaN(value)) visit(keyOf(value))
    }
    await slices.next()
  }
}

/** Unsigned keys in the order of the floats: negative ones have all bits turned, the others the sign bit set. */
function keyOf(value: number): number {
  float[0] = value
  const raw = bits[0]
  return (raw & 0x80000000 ? ~raw : raw | 0x80000000) >>> 0
}

function floatOf(key: number): number {
  bits[0] = (key & 0x80000000 ? key & 0x7fffffff : ~key) >>> 0
  return float[0]
}
