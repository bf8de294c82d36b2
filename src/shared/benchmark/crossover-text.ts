import type { Interval } from './bootstrap'
import type { Crossing, PairCrossings } from './crossover'
import type { ScalingSize } from './scaling'
import { countText } from './significant'

/** The symbols that the studies use. */
export const sizeSymbols: Readonly<Record<ScalingSize, string>> = { n: 'N', d: 'd', k: 'k' }

/** One sentence a crossing, or one that says that there is none. */
export function crossoverSentences(pair: PairCrossings, varies: ScalingSize): readonly string[] {
  const symbol = sizeSymbols[varies]
  if (pair.crossings.length > 0)
    return pair.crossings.map((crossing) => sentence(crossing, symbol, pair.range))
  return [`${staysAhead(pair)}: no crossover in the range measured (${rangeText(pair, varies)}).`]
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

function sentence({ below, above, at, interval }: Crossing, symbol: string, range: Range): string {
  const spread = interval === null ? 'no interval from one repeat' : intervalText(interval, range)
  return `${above} overtakes ${below} at ${symbol} ≈ ${sizeText(at)} (${spread}).`
}

type Range = readonly [number, number]

function intervalText({ low, high, level }: Interval, [least, most]: Range): string {
  const from = low === 0 ? `below ${countText(least)}` : sizeText(low)
  const to = high === Infinity ? `above ${countText(most)}` : sizeText(high)
  return `${Math.round(100 * level)} % interval ${from} to ${to}`
}

/** Three significant digits: an interpolated point has no more. */
function sizeText(size: number): string {
  const rounded = Number(size.toPrecision(3))
  return rounded >= 1000 ? countText(rounded) : String(rounded)
}
