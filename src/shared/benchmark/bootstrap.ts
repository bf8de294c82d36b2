import { medianOfAscending } from './statistics'

/** An interval with its confidence level; an end is infinite where the data do not bound it. */
export interface Interval {
  readonly low: number
  readonly high: number
  /** E.g. 0.95. */
  readonly level: number
}

const resamples = 1000
const wantedLevel = 0.95
const fixedSeed = 0x9e3779b9

/**
 * Percentile bootstrap of a quantity computed from the medians of independent samples (Efron and Tibshirani, An
 * Introduction to the Bootstrap, 1993, chapter 13; for ratios of execution times: Kalibera and Jones, Quantifying
 * performance changes with effect size confidence intervals, 2012). The seed is fixed: the same times give the same
 * interval. The level stated is never more than the smallest sample supports, since its minimum and maximum hold the
 * median with probability 1 - 2^(1 - repeats) only: 94 % for five, 75 % for three.
 * @param samples times of the repeats, each sample in any order; what is drawn of an array is kept with it
 * @param quantity from the medians of resampled `samples`, in their order (one array, used again); may be infinite,
 *   never NaN
 * @returns null where a sample has fewer than two values
 */
export function bootstrapInterval(
  samples: readonly (readonly number[])[],
  quantity: (medians: readonly number[]) => number,
): Interval | null {
  const least = samples.reduce((count, sample) => Math.min(count, sample.length), Infinity)
  if (least < 2 || !Number.isFinite(least)) return null
  const medians = samples.map((sample, stream) => resampledMedians(sample, stream))
  const at = medians.map(() => 0)
  const drawn = new Float64Array(resamples)
  for (let i = 0; i < resamples; i++) {
    for (let j = 0; j < at.length; j++) at[j] = medians[j][i]
    drawn[i] = quantity(at)
  }
  drawn.sort()
  const tail = (1 - wantedLevel) / 2
  return { low: quantile(drawn, tail), high: quantile(drawn, 1 - tail), level: levelOf(least) }
}

/** The level that an interval from so many repeats can have at most. */
export function levelOf(repeats: number): number {
  return Math.min(wantedLevel, 1 - 2 ** (1 - repeats))
}

/** By sample and stream: a table is made anew whenever a row is done, and most rows are old. */
const kept = new WeakMap<readonly number[], Map<number, Float64Array>>()

/** Streams are independent of each other, so that samples of the same values are too. */
function resampledMedians(sample: readonly number[], stream: number): Float64Array {
  const known = kept.get(sample) ?? new Map<number, Float64Array>()
  kept.set(sample, known)
  const found = known.get(stream)
  if (found !== undefined) return found
  const below = randomBelow(fixedSeed + 0x85ebca6b * (stream + 1))
  const draw = new Float64Array(sample.length)
  const medians = new Float64Array(resamples)
  for (let at = 0; at < resamples; at++) {
    for (let i = 0; i < draw.length; i++) draw[i] = sample[below(draw.length)]
    medians[at] = medianOfAscending(ascending(draw))
  }
  known.set(stream, medians)
  return medians
}

/** In place, by insertion: samples are a handful of times. */
function ascending(values: Float64Array): Float64Array {
  if (values.length > 32) return values.sort()
  for (let i = 1; i < values.length; i++) {
    const value = values[i]
    let at = i
    for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1]
    values[at] = value
  }
  return values
}

/** The nearest rank, so that an infinite neighbour does not spread. */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))]
}

/** Whole numbers in 0..bound-1 (Marsaglia, Xorshift RNGs, 2003, with shifts 13, 17, 5). */
function randomBelow(seed: number): (bound: number) => number {
  let state = seed >>> 0 || 1
  return (bound) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}
