/** Where the time of each contender went: stacked bars of its phases. */
import { contenderName } from '@shared/benchmark/contender-look'
import { phaseColours } from '@shared/benchmark/phase-colours'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { fromMade, scaledMark } from '@shared/benchmark/scaled'
import type { PhaseTimings } from '@shared/run-record'
import { t } from '@/i18n'
import { formatShare } from '@/text/numbers'
import { timedPhases } from '@/text/phases'
import type { FigureAxis, FigureBar } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { aboutWidth } from '../figure/svg-text'
import { fromZero, rowAxis } from './axes'
import type { BenchmarkTheme } from './benchmark-theme'
import { groupSlug, groupWords, remarksOn, rowsOf, untimedRemarks, type Group } from './groups'
import type { BenchmarkPlot, PlotBody, PlotTip } from './plot'
import { fullTime, rowLabel, scaledHint, shortTime } from './words'

export type PhaseWord = keyof typeof phaseColours
export const phaseMeasures = ['time', 'share'] as const
export type PhaseMeasure = (typeof phaseMeasures)[number]

export interface PhasesChoice {
  /** Milliseconds, or shares of the sum of what is shown. */
  readonly measure: PhaseMeasure
  /** Whether loading the file, which is not part of the total, is shown. */
  readonly load: boolean
}

export interface PhaseSegment {
  readonly phase: PhaseWord
  readonly ms: number
  /** Where it begins and ends on the axis of the measure. */
  readonly from: number
  readonly to: number
}

export interface PhaseRow {
  readonly contender: string
  readonly disagrees: boolean
  readonly segments: readonly PhaseSegment[]
  /** Of what is shown. */
  readonly totalMs: number
  /** `from 10 of 50 iterations`; null where the times are as measured. */
  readonly scaled: string | null
}

function parts(
  timings: PhaseTimings,
  load: boolean,
): readonly { readonly phase: PhaseWord; readonly ms: number }[] {
  const timed = timedPhases(timings).map(({ word, ms }) => ({ phase: word, ms }))
  const all = load ? [{ phase: 'load' as const, ms: timings.loadMs }, ...timed] : timed
  return all.filter(({ ms }) => ms > 0)
}

function rowOf(row: Measurement, { measure, load }: PhasesChoice): PhaseRow[] {
  const { contender, state, phases } = row
  if (phases === null || state === 'skipped' || state === 'failed') return []
  const shown = parts(phases, load)
  const totalMs = shown.reduce((sum, { ms }) => sum + ms, 0)
  const unit = measure === 'share' ? totalMs / 100 : 1
  let end = 0
  const segments = shown.map(({ phase, ms }) => {
    const from = end
    end += ms / unit
    return { phase, ms, from, to: end }
  })
  return totalMs > 0
    ? [{ contender, disagrees: state === 'disagrees', segments, totalMs, scaled: fromMade(row) }]
    : []
}

/** The contenders whose phases were timed, shortest total first. */
export function phaseRows(
  document: BenchmarkDocument,
  group: Group,
  choice: PhasesChoice,
): readonly PhaseRow[] {
  return rowsOf(document, group)
    .flatMap((row) => rowOf(row, choice))
    .sort((a, b) => a.totalMs - b.totalMs)
}

const rowHeight = 24

function barsOf(rows: readonly PhaseRow[]): readonly FigureBar[] {
  return rows.flatMap(({ segments }, at) => {
    const middle = rows.length - at - 0.5
    return segments.map(({ phase, from, to }) => ({
      x0: from,
      x1: to,
      y0: middle - 0.33,
      y1: middle + 0.33,
      colour: phaseColours[phase],
      label: '',
    }))
  })
}

function bodyOf(
  rows: readonly PhaseRow[],
  { measure }: PhasesChoice,
  width: number,
  theme: BenchmarkTheme,
): PlotBody {
  const y = rowAxis(rows.map(({ contender, disagrees }) => rowLabel(contender, disagrees)))
  const right = Math.max(...rows.map((row) => aboutWidth(totalWords(row), 11))) + 14
  const length = width - leftRoom(y) - right
  const longest = Math.max(...rows.map(({ segments }) => segments.at(-1)?.to ?? 0))
  const x: FigureAxis =
    measure === 'share'
      ? fromZero(t('benchmark.shareOfTheTime'), 100, length)
      : fromZero(t('benchmark.timeMs'), longest, length)
  const texts = rows.map((row, at) => ({
    x: row.segments.at(-1)?.to ?? 0,
    y: rows.length - at - 0.5,
    dx: 6,
    dy: 0,
    text: totalWords(row),
    colour: row.disagrees ? theme.error : theme.ink,
    anchor: 'start' as const,
    rim: true,
  }))
  const present = (Object.keys(phaseColours) as PhaseWord[]).filter((phase) =>
    rows.some(({ segments }) => segments.some((one) => one.phase === phase)),
  )
  const key = present.map((phase) => ({ label: phase, colour: phaseColours[phase], shape: 'bar' as const }))
  return {
    x,
    y,
    right,
    layers: [
      { kind: 'bars', bars: barsOf(rows) },
      { kind: 'texts', texts },
    ],
    key,
  }
}

const totalWords = ({ totalMs, scaled }: PhaseRow): string =>
  `${scaled === null ? '' : scaledMark}${shortTime(totalMs)}`

function tipOf(row: PhaseRow, at: number, rows: number): PlotTip {
  const { contender, segments, totalMs, scaled, disagrees } = row
  const parts = segments.map(({ phase, ms }) => `${phase} ${fullTime(ms)}, ${formatShare(ms / totalMs)}`)
  const lines = [...(scaled === null ? [] : [t('benchmark.scaled', [scaled])]), ...parts]
  return {
    x: (segments.at(-1)?.to ?? 0) / 2,
    y: rows - at - 0.5,
    title: `${contenderName(contender)}: ${fullTime(totalMs)}`,
    lines: disagrees ? [...lines, t('benchmark.disagreesWithTheReferenceTheTime')] : lines,
  }
}

function summaryOf(rows: readonly PhaseRow[]): string {
  const sentences = rows.map(({ contender, segments, totalMs }) => {
    const longest = segments.reduce((most, one) => (one.ms > most.ms ? one : most))
    return t('benchmark.spendsIn', [
      contenderName(contender),
      formatShare(longest.ms / totalMs),
      longest.phase,
    ])
  })
  return `${sentences.slice(0, 4).join('; ')}.`
}

/** The plot of a group; null where no phase was timed. */
export function phasesPlot(
  document: BenchmarkDocument,
  group: Group,
  choice: PhasesChoice,
): BenchmarkPlot | null {
  const rows = phaseRows(document, group, choice)
  if (rows.length === 0) return null
  const all = rowsOf(document, group)
  return {
    name: `phases-${groupSlug(group)}`,
    title: t('benchmark.timeByPhase2', [groupWords(group)]),
    note: t('benchmark.meansOverTheRunsThatWere', [scaledHint(all)]),
    summary: summaryOf(rows),
    remarks: [...untimedRemarks(all, rows, 'phases'), ...remarksOn(all)],
    tips: rows.map((row, at) => tipOf(row, at, rows.length)),
    tipAxis: 'y',
    height: () => rows.length * rowHeight,
    body: ({ width }, theme) => bodyOf(rows, choice, width, theme),
  }
}
