/** Speed-ups to a baseline: a dot with its interval for each contender, below one another for each dataset and k. */
import { afterColon } from '@shared/benchmark/after-colon'
import { contenderLook, contenderName } from '@shared/benchmark/contender-look'
import { isOtherWork, refusedNotes, seedingNotes } from '@shared/benchmark/work-notes'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { rowAt } from '@shared/benchmark/counted'
import { undecidedBecause } from '@shared/benchmark/speedup-table'
import { scaledMark } from '@shared/benchmark/scaled'
import type { Speedup } from '@shared/benchmark/speedups'
import { undecided } from '@shared/benchmark/verdict'
import { formatNumber, plural } from '@/text/numbers'
import type { FigureAxis, FigureLayer, FigureText } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { aboutWidth } from '../figure/svg-text'
import { logAxis } from './axes'
import type { BenchmarkTheme } from './benchmark-theme'
import { groupSlug, groupsOf, groupWords, sameGroup, type Group } from './groups'
import type { BenchmarkPlot, PlotBody, PlotTip } from './plot'
import { fullTime, timesWord } from './words'
import { statisticsOf } from '@shared/benchmark/statistics'

export type CountedSpeedup = Speedup & { readonly speedup: number }

export interface SpeedupGroup {
  readonly group: Group
  /** Fastest first, the baseline itself left out. */
  readonly speedups: readonly CountedSpeedup[]
}

const counted = (one: Speedup): one is CountedSpeedup =>
  one.speedup !== null && one.speedup > 0 && one.row.contender !== one.baseline

/** Groups that have a speed-up, in the order of the plan. */
export function speedupGroups(
  groups: readonly Group[],
  speedups: readonly Speedup[],
): readonly SpeedupGroup[] {
  return groups.flatMap((group) => {
    const own = speedups.filter((one) => sameGroup(one.row, group)).filter(counted)
    own.sort((a, b) => b.speedup - a.speedup)
    return own.length === 0 ? [] : [{ group, speedups: own }]
  })
}

const rowHeight = 22
const headHeight = 24

interface SpeedupRow extends CountedSpeedup {
  readonly at: number
}

interface SpeedupLayout {
  readonly rows: readonly SpeedupRow[]
  readonly heads: readonly { readonly at: number; readonly words: string }[]
  readonly height: number
}

function layOut(groups: readonly SpeedupGroup[]): SpeedupLayout {
  const head = groups.length > 1 ? headHeight : 0
  const height = groups.reduce((sum, { speedups }) => sum + head + speedups.length * rowHeight, 0)
  const rows: SpeedupRow[] = []
  const heads: { at: number; words: string }[] = []
  let top = height
  for (const { group, speedups } of groups) {
    if (head > 0) heads.push({ at: top - head / 2, words: groupWords(group) })
    top -= head
    for (const speedup of speedups) {
      rows.push({ ...speedup, at: top - rowHeight / 2 })
      top -= rowHeight
    }
  }
  return { rows, heads, height }
}

const endsOf = ({ interval, speedup }: CountedSpeedup, { min, max }: { min: number; max: number }) => ({
  low: Math.max(min, interval?.low ?? speedup),
  high: Math.min(max, interval?.high ?? speedup),
})

/** From below the least to above the largest finite value, 1 among them. */
function axisOf(rows: readonly CountedSpeedup[], baseline: string, length: number): FigureAxis {
  const values = rows.flatMap(({ speedup, interval }) => [speedup, interval?.low ?? 1, interval?.high ?? 1])
  const finite = [1, ...values.filter((value) => value > 0 && Number.isFinite(value))]
  const [min, max] = [Math.min(...finite), Math.max(...finite)]
  const room = Math.max(1.08, (max / min) ** 0.05)
  return logAxis(`times as fast as ${contenderName(baseline)}, logarithmic`, min / room, max * room, length)
}

/** `2.8×`, with `~` before one that the repeats do not decide. */
function ratioWords(found: CountedSpeedup): string {
  const mark = found.scaled === null ? '' : scaledMark
  return `${mark}${undecidedBecause(found) === null ? '' : '~'}${timesWord(found.speedup)}×`
}

function layersOf(
  { rows, heads }: SpeedupLayout,
  x: FigureAxis,
  theme: BenchmarkTheme,
): readonly FigureLayer[] {
  const whiskers = rows.map((row) => ({ ...endsOf(row, x), at: row.at }))
  const looks = rows.map(({ row }) => contenderLook(row.contender))
  const words = rows.map((row): FigureText => ({
    x: endsOf(row, x).high,
    y: row.at,
    dx: 9,
    dy: 0,
    text: ratioWords(row),
    colour: undecidedBecause(row) === null ? theme.ink : theme.quietInk,
    anchor: 'start',
    rim: true,
  }))
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
    { kind: 'texts', texts: [...words, ...titles] },
  ]
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
  const x = axisOf(layout.rows, baseline, width - leftRoom(y) - right)
  return { x, y, right, layers: layersOf(layout, x, theme), key: [] }
}

function tipOf(speedupRow: SpeedupRow, several: boolean): PlotTip {
  const { row, speedup, interval, baseline, scaled, at } = speedupRow
  const { median } = statisticsOf(row.totalsMs)
  const open = undecidedBecause(speedupRow)
  return {
    x: speedup,
    y: at,
    title: contenderName(row.contender),
    lines: [
      ...(several ? [groupWords(row)] : []),
      `${formatNumber(speedup)} times as fast as ${contenderName(baseline)}`,
      ...(interval
        ? [
            `${Math.round(interval.level * 100)} % interval ${formatNumber(interval.low)} to ${formatNumber(interval.high)}`,
          ]
        : []),
      ...(open === null ? [] : [open]),
      ...(scaled === null ? [] : [`scaled ${scaled}`]),
      ...(median === null ? [] : [`median ${fullTime(median)}`]),
    ],
  }
}

function noteOf(rows: readonly CountedSpeedup[]): string {
  const open = rows.some((row) => undecidedBecause(row) !== null) ? ` ~: ${undecided}.` : ''
  const scaled = rows.some((row) => row.scaled !== null) ? ' ≈: scaled from fewer iterations.' : ''
  return `Ratio of medians with its interval; the line is the baseline.${open}${scaled}`
}

function summaryOf(groups: readonly SpeedupGroup[], baseline: string): string {
  const said = groups.slice(0, 3).flatMap(({ group, speedups }) => {
    const [best] = speedups
    if (!best) return []
    const where = groups.length > 1 ? ` on ${group.dataset} with k = ${group.k}` : ''
    if (undecidedBecause(best) !== null)
      return [`${contenderName(best.row.contender)} over ${contenderName(baseline)}${where}: ${undecided}`]
    return [
      `${contenderName(best.row.contender)} is ${timesWord(best.speedup)} times as fast as ${contenderName(baseline)}${where}`,
    ]
  })
  const rest = groups.length > 3 ? `; ${plural(groups.length - 3, 'more case')} below` : ''
  return `${said.join('; ')}${rest}.`
}

/** Why others have none: one sentence each, each reason once. */
function remarksOf(
  document: BenchmarkDocument,
  baseline: string,
  groups: readonly Group[],
  speedups: readonly Speedup[],
): readonly string[] {
  const isShown = (row: Measurement): boolean => groups.some((group) => sameGroup(row, group))
  // Of other work one sentence for each contender tells.
  const without = speedups.filter(
    ({ row, speedup }) =>
      speedup === null && !isOtherWork(row, rowAt(document, row, baseline)) && isShown(row),
  )
  const reasons = without.map(
    ({ row, reason }) => `${contenderName(row.contender)} has no speed-up: ${afterColon(reason ?? '')}`,
  )
  return [
    ...refusedNotes({ rows: document.rows.filter(isShown) }, baseline, contenderName),
    ...new Set(reasons),
  ]
}

/** The plot of some groups, all of a document as a rule; null where there is no speed-up. */
export function speedupsPlot(
  document: BenchmarkDocument,
  speedups: readonly Speedup[],
  baseline: string,
  groups: readonly Group[] = groupsOf(document),
): BenchmarkPlot | null {
  const shown = speedupGroups(groups, speedups)
  const [only] = groups
  if (shown.length === 0) return null
  const layout = layOut(shown)
  const single = groups.length === 1 && only !== undefined
  return {
    name: single ? `speedups-${groupSlug(only)}` : 'speedups',
    title: `Speed-up over ${contenderName(baseline)}${single ? `: ${groupWords(only)}` : `: ${document.suite.name}`}`,
    note: noteOf(layout.rows),
    summary: summaryOf(shown, baseline),
    remarks: [...seedingNotes(document, contenderName), ...remarksOf(document, baseline, groups, speedups)],
    tips: layout.rows.map((row) => tipOf(row, shown.length > 1)),
    tipAxis: 'y',
    height: () => layout.height,
    body: ({ width }, theme) => bodyOf(shown, baseline, width, theme),
  }
}
