import type { Interval } from './bootstrap'
import { bracketOf, type Crossing, type PairCrossings } from './crossover'
import { scaledMark } from './scaled'
import type { ScalingGroup, ScalingSize } from './scaling'
import { countText } from './significant'
import { undecided, undecidedLocation } from './verdict'

/** The symbols that the studies use. */
export const sizeSymbols: Readonly<Record<ScalingSize, string>> = { n: 'N', d: 'd', k: 'k' }

/** One sentence a crossing, one for all that the repeats do not place, or one that says that there is none. */
export function crossoverSentences(pair: PairCrossings, varies: ScalingSize): readonly string[] {
  const symbol = sizeSymbols[varies]
  if (pair.crossings.length > 0)
    return [...new Set(pair.crossings.map((crossing) => sentence(crossing, symbol, pair)))]
  return [`${staysAhead(pair)}: no crossover in the range measured (${rangeText(pair, varies)}).`]
}

/** Where `hasUnlikeWork`. */
export const unlikeWorkNote =
  'Sizes at which the iterations of two contenders differ by more than a tenth are left out.'

/**
 * Where times of a sweep are scaled, a sentence for each contender.
 * @param nameOf what a contender is called where the sentence stands
 */
export function scaledPointNotes(
  { series, varies }: Pick<ScalingGroup, 'series' | 'varies'>,
  nameOf = (contender: string): string => contender,
): readonly string[] {
  return series.flatMap(({ contender, points }) => {
    const where = points.flatMap(({ size, scaled }) =>
      scaled === undefined ? [] : [`${sizeSymbols[varies]} = ${countText(size)} ${scaled}`],
    )
    return where.length === 0
      ? []
      : [`${scaledMark}${nameOf(contender)}: times scaled at ${where.join('; ')}.`]
  })
}

/** `cpu/fused stays ahead of cpu/sequential`. */
export function staysAhead({ first, second, ahead }: PairCrossings): string {
  if (ahead === null) return `${first} and ${second} stay level`
  return `${ahead} stays ahead of ${ahead === first ? second : first}`
}

/** `N 1000 to 100 000`. */
export function rangeText({ range }: PairCrossings, varies: ScalingSize): string {
  return `${sizeSymbols[varies]} ${range.map(countText).join(' to ')}`
}

function sentence(crossing: Crossing, symbol: string, { first, second, range }: PairCrossings): string {
  const { below, above, at, interval } = crossing
  const bracket = bracketOf(crossing)
  if (interval === null || bracket === 'nowhere') {
    const between = `${symbol} = ${range.map(countText).join(' and ')}`
    return `Whether ${first} and ${second} cross between ${between} is ${undecided}.`
  }
  const overtakes = `${above} overtakes ${below}`
  if (bracket === 'placed') return `${overtakes} at ${symbol} ≈ ${sizeText(at)} (${intervalText(interval)}).`
  const measured = `${symbol} ${range.map(countText).join(' to ')}`
  const side =
    bracket === 'above'
      ? `above ${symbol} ≈ ${sizeText(interval.low)}`
      : `below ${symbol} ≈ ${sizeText(interval.high)}`
  return `${overtakes} somewhere ${side} or beyond the measured range (${measured}); ${undecidedLocation}.`
}

function intervalText({ low, high, level }: Interval): string {
  return `${Math.round(100 * level)} % interval ${sizeText(low)} to ${sizeText(high)}`
}

/** Three significant digits: an interpolated point has no more. */
function sizeText(size: number): string {
  const rounded = Number(size.toPrecision(3))
  return rounded >= 1000 ? countText(rounded) : String(rounded)
}
