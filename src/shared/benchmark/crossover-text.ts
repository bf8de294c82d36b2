import type { Interval } from './bootstrap'
import { bracketOf, type Crossing, type PairCrossings } from './crossover'
import { scaledMark } from './scaled'
import type { ScalingGroup, ScalingSize } from './scaling'
import { countText } from './significant'
import { undecided, undecidedLocation } from './verdict'
import { t } from '../locale/translate'

/** The symbols that the studies use. */
export const sizeSymbols: Readonly<Record<ScalingSize, string>> = { n: 'N', d: 'd', k: 'k' }

/** One sentence a crossing, one for all that the repeats do not place, or one that says that there is none. */
export function crossoverSentences(pair: PairCrossings, varies: ScalingSize): readonly string[] {
  const symbol = sizeSymbols[varies]
  if (pair.crossings.length > 0)
    return [...new Set(pair.crossings.map((crossing) => sentence(crossing, symbol, pair)))]
  return [t('benchmark-tables.noCrossoverInTheRangeMeasured', [staysAhead(pair), rangeText(pair, varies)])]
}

/** Where `hasUnlikeWork`. */
export const unlikeWorkNote = (): string => t('benchmark-tables.sizesAtWhichTheIterationsOf')

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
      : [t('benchmark-tables.timesScaledAt', [scaledMark, nameOf(contender), where.join('; ')])]
  })
}

/** `cpu/fused stays ahead of cpu/sequential`. */
export function staysAhead({ first, second, ahead }: PairCrossings): string {
  if (ahead === null) return t('benchmark-tables.andStayLevel', [first, second])
  return t('benchmark-tables.staysAheadOf', [ahead, ahead === first ? second : first])
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
    return t('benchmark-tables.whetherAndCrossBetweenIs', [first, second, between, undecided()])
  }
  const overtakes = t('benchmark-tables.overtakes', [above, below])
  if (bracket === 'placed')
    return t('benchmark-tables.at', [overtakes, symbol, sizeText(at), intervalText(interval)])
  const measured = `${symbol} ${range.map(countText).join(' to ')}`
  const side =
    bracket === 'above'
      ? t('benchmark-tables.above', [symbol, sizeText(interval.low)])
      : t('benchmark-tables.below', [symbol, sizeText(interval.high)])
  return t('benchmark-tables.somewhereOrBeyondTheMeasuredRange', [
    overtakes,
    side,
    measured,
    undecidedLocation(),
  ])
}

function intervalText({ low, high, level }: Interval): string {
  return t('benchmark-tables.intervalTo', [Math.round(100 * level), sizeText(low), sizeText(high)])
}

/** Three significant digits: an interpolated point has no more. */
function sizeText(size: number): string {
  const rounded = Number(size.toPrecision(3))
  return rounded >= 1000 ? countText(rounded) : String(rounded)
}
