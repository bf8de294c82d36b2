/** The level axis of ratios: words as far as there are data, then a slot for the pairs of each k. */
import type { RatioPair, RatioPlot, RatioSeries } from '@shared/benchmark/ratio-plot'
import { t } from '@/i18n'
import { formatCount } from '@/text/numbers'
import { valueAt, type FigureAxis } from '../figure/figure'
import { logAxis, positiveRange } from './axes'

/** Shares of the axis: of each slot, before the first of them, and from its middle to what it holds. */
const slotShare = 0.085
const gapShare = 0.03
const asideShare = 0.018
const maxShare = 0.45

/** A pair of numbers over the data of a k, and where its two marks stand. */
export interface PairMark {
  readonly series: RatioSeries
  readonly pair: RatioPair
  readonly measuredAt: number
  readonly publishedAt: number
}

export interface RatioAxis {
  readonly x: FigureAxis
  /** Where the words end. */
  readonly end: number
  readonly slots: readonly { readonly at: number; readonly pairs: readonly PairMark[] }[]
}

/** @param length CSS pixels, for the ticks */
export function ratioAxis({ series }: RatioPlot, length: number): RatioAxis {
  const { min, max } = positiveRange(series.flatMap(({ points }) => points.map(({ words }) => words)))
  const room = Math.max(1.15, (max / min) ** 0.05)
  const [from, end] = [min / room, max * room]
  const paired = series.filter(({ pairs }) => pairs.length > 0)
  const share = paired.length === 0 ? 0 : Math.min(maxShare, gapShare + slotShare * paired.length)
  const last = from * (end / from) ** (1 / (1 - share))
  const whole = logAxis(t('benchmark.wordsOf4BytesThatCross'), from, last, length)
  const each = (share - gapShare) / Math.max(1, paired.length)
  const slots = paired.map((one, at) => slotOf(one, 1 - share + gapShare + each * (at + 0.5), whole))
  const ticks = whole.ticks
    .filter(({ value }) => value <= end)
    .map(({ value }) => ({ value, label: formatCount(value) }))
  const named = slots.map(({ at }, i) => ({ value: at, label: paired[i]?.ofK ?? '' }))
  const x = { ...whole, ticks: [...ticks, ...named] }
  return { x: named.length === 0 ? x : { ...x, aside: { from: end, ticks: named } }, end, slots }
}

function slotOf(series: RatioSeries, middle: number, x: FigureAxis) {
  const pairs = series.pairs.map((pair) => ({
    ...{ series, pair },
    measuredAt: valueAt(x, middle - asideShare),
    publishedAt: valueAt(x, middle + asideShare),
  }))
  return { at: valueAt(x, middle), pairs }
}
