/** Speed-ups to a baseline: a dot with its interval for each contender, below one another for each dataset and k. */
import { contenderLook, contenderName } from '@shared/benchmark/contender-look'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { numberSide } from '@shared/benchmark/free-sides'
import { publishedSpeedups } from '@shared/benchmark/published-marks'
import { undecidedBecause } from '@shared/benchmark/speedup-table'
import type { Speedup } from '@shared/benchmark/speedups'
import { seedingNotes } from '@shared/benchmark/work-notes'
import { localizedSentence } from '@shared/locale/localized-sentence'
import {
  shareOf,
  type FigureAxis,
  type FigureLayer,
  type FigureText,
  type FigureTick,
} from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { aboutWidth } from '../figure/svg-text'
import { logAxis } from './axes'
import type { BenchmarkTheme } from './benchmark-theme'
import { groupSlug, groupsOf, groupWords, type Group } from './groups'
import type { BenchmarkPlot, PlotBody } from './plot'
import { publishedKey, publishedLayers, type PublishedMark } from './published-marks'
import {
  layOut,
  speedupGroups,
  type CountedSpeedup,
  type SpeedupGroup,
  type SpeedupLayout,
  type SpeedupRow,
} from './speedup-rows'
import { noteOf, publishedRemarks, ratioWords, remarksOf, summaryOf, tipOf } from './speedup-words'
import { t } from '@/i18n'

const endsOf = ({ interval, speedup }: CountedSpeedup, { min, max }: { min: number; max: number }) => ({
  low: Math.max(min, interval?.low ?? speedup),
  high: Math.min(max, interval?.high ?? speedup),
})

/** From below the least to above the largest finite value, 1 among them. */
function axisOf(rows: readonly CountedSpeedup[], baseline: string, length: number): FigureAxis {
  const values = rows.flatMap(({ speedup, interval, published }) => [
    ...[speedup, interval?.low ?? 1, interval?.high ?? 1],
    ...published.map(({ value }) => value),
  ])
  const finite = [1, ...values.filter((value) => value > 0 && Number.isFinite(value))]
  const [min, max] = [Math.min(...finite), Math.max(...finite)]
  const room = Math.max(1.08, (max / min) ** 0.05)
  return logAxis(
    t('benchmark.timesAsFastAsLogarithmic', [contenderName(baseline)]),
    min / room,
    max * room,
    length,
  )
}

function layersOf(
  { rows, heads }: SpeedupLayout,
  x: FigureAxis,
  length: number,
  theme: BenchmarkTheme,
): readonly FigureLayer[] {
  const whiskers = rows.map((row) => ({ ...endsOf(row, x), at: row.at }))
  const looks = rows.map(({ row }) => contenderLook(row.contender))
  const words = rows.map((row) => numberOf(row, x, length, theme))
  const titles = heads.map(({ at, words: text }): FigureText => ({
    x: x.min,
    y: at,
    dx: 6,
    dy: 2,
    text,
    colour: theme.quietInk,
    anchor: 'start',
    rim: true,
  }))
  const scale = scaleWords(heads, x, length).map(({ at, tick }): FigureText => ({
    ...{ x: tick.value, y: at, dx: 0, dy: 2, text: tick.label },
    ...{ colour: theme.quietInk, anchor: 'middle', rim: true },
  }))
  return [
    { kind: 'marker', axis: 'x', at: 1, colour: theme.quietInk },
    {
      kind: 'line',
      name: 'interval',
      colour: theme.ink,
      xs: whiskers.flatMap(({ low, high }) => [low, high, NaN, low, low, NaN, high, high, NaN]),
      ys: whiskers.flatMap(({ at }) => [at, at, NaN, at - 4, at + 4, NaN, at - 4, at + 4, NaN]),
      width: 1,
      opacity: 1,
      dots: 0,
    },
    {
      kind: 'points',
      xs: rows.map(({ speedup }) => speedup),
      ys: rows.map(({ at }) => at),
      look: rows.map((_, at) => at),
      looks,
      radius: 4.5,
    },
    ...publishedLayers(publishedMarks(rows), theme),
    { kind: 'texts', texts: [...words, ...titles, ...scale] },
  ]
}

/** The axis lies below all rows: farther up than this its values are said again, beside heads as far apart. */
const farFromAxis = 360

/** `at`: of a head; the ticks that stand free of its words. */
function scaleWords(heads: SpeedupLayout['heads'], x: FigureAxis, length: number) {
  let last = Infinity
  return heads.flatMap(({ at, words }) => {
    if (last - at < farFromAxis || at < farFromAxis) return []
    const taken = aboutWidth(words, 11) + 12
    const isFree = (tick: FigureTick): boolean =>
      shareOf(x, tick.value) * length - aboutWidth(tick.label, 11) / 2 > taken
    const free = x.ticks.filter(isFree)
    // One value alone is no scale.
    if (free.length < 2) return []
    last = at
    return free.map((tick) => ({ at, tick }))
  })
}

const publishedMarks = (rows: readonly SpeedupRow[]): readonly PublishedMark[] =>
  rows.flatMap(({ row, published, at }) =>
    published.map(({ value }) => ({ x: value, y: at, look: contenderLook(row.contender) })),
  )

/** The number of a row, beside its interval and on no mark of a study. */
function numberOf(row: SpeedupRow, x: FigureAxis, length: number, theme: BenchmarkTheme): FigureText {
  const pixel = (value: number): number => shareOf(x, value) * length
  const { low, high } = endsOf(row, x)
  const marks = row.published.map(({ value }) => pixel(value))
  const text = ratioWords(row)
  const { side, at } = numberSide({ low: pixel(low), high: pixel(high), marks }, aboutWidth(text, 11), 0)
  const [from, aside, anchor] = side === 'right' ? ([high, 9, 'start'] as const) : ([low, -9, 'end'] as const)
  const colour = undecidedBecause(row) === null ? theme.ink : theme.quietInk
  return { x: from, y: row.at, dx: at - pixel(from) + aside, dy: 0, text, colour, anchor, rim: true }
}

function bodyOf(
  groups: readonly SpeedupGroup[],
  baseline: string,
  width: number,
  theme: BenchmarkTheme,
): PlotBody {
  const layout = layOut(groups)
  const ticks = layout.rows.map(({ at, row }) => ({ value: at, label: contenderName(row.contender) }))
  const y: FigureAxis = { label: '', min: 0, max: layout.height, log: false, ticks }
  const right = Math.max(...layout.rows.map((row) => aboutWidth(ratioWords(row), 11))) + 16
  const length = width - leftRoom(y) - right
  const x = axisOf(layout.rows, baseline, length)
  const key = publishedKey(publishedMarks(layout.rows), theme)
  return { x, y, right, layers: layersOf(layout, x, length, theme), key }
}

/** The plot of some groups, all of a document as a rule; null where there is no speed-up. */
export function speedupsPlot(
  document: BenchmarkDocument,
  speedups: readonly Speedup[],
  baseline: string,
  groups: readonly Group[] = groupsOf(document),
): BenchmarkPlot | null {
  const shown = speedupGroups(groups, speedups, publishedSpeedups(document, baseline))
  const [only] = groups
  if (shown.length === 0) return null
  const layout = layOut(shown)
  const single = groups.length === 1 && only !== undefined
  return {
    name: single ? `speedups-${groupSlug(only)}` : 'speedups',
    title: t('benchmark.speedUpOver2', [
      contenderName(baseline),
      single ? `: ${groupWords(only)}` : `: ${localizedSentence(document.suite.name)}`,
    ]),
    note: noteOf(layout.rows),
    summary: summaryOf(shown, baseline),
    remarks: [
      ...publishedRemarks(document, layout.rows),
      ...seedingNotes(document, contenderName),
      ...remarksOf(document, baseline, groups, speedups),
    ],
    tips: layout.rows.map((row) => tipOf(row, shown.length > 1)),
    tipAxis: 'y',
    height: () => layout.height,
    body: ({ width }, theme) => bodyOf(shown, baseline, width, theme),
  }
}
