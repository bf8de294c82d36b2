/**
 * Execution times on a logarithmic axis: the median as a mark, minimum to maximum as a line through it, every run a small dot (a dot
 * plot after Cleveland: on such an axis the length of a bar would mean nothing).
 */
import { contenderLook, contenderName, softened } from '@shared/benchmark/contender-look'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { standInMark } from '@shared/benchmark/published-match'
import { scaleNotes } from '@shared/benchmark/table-notes'
import { decidedFastest, isFaster, isLikeWork, undecided } from '@shared/benchmark/verdict'
import { markOf } from '@shared/benchmark/scaled'
import { t } from '@/i18n'
import { plural } from '@/text/numbers'
import { shareOf, type FigureAxis, type FigureLayer, type FigureText } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { aboutWidth } from '../figure/svg-text'
import { logAxis, positiveRange } from './axes'
import type { BenchmarkTheme } from './benchmark-theme'
import { groupSlug, groupWords, remarksOn, rowsOf, type Group } from './groups'
import type { BenchmarkPlot, PlotBody, PlotTip } from './plot'
import { publishedKey, publishedLayers, type PublishedMark } from './published-marks'
import { timeRows, type MeasuredTime, type PublishedRow, type TimeRow } from './times'
import { fullTime, rowLabel, scaledHint, shortTime, timeLines, timesWord } from './words'

/** Heights in CSS pixels, which are the units of the vertical axis. */
const rowHeight = 30
const publishedHeight = 17
/** Room of a mark and its interval. */
const markHeight = 14
const markRadius = 5
/** From the middle of a row down to that of its mark: the median's number stands above. */
const markDown = 6
const numberUp = -14
/** Half a number on the axis. */
const right = 24
const whisker = 4

/** A row with the place of its mark and of the study's, in units of the vertical axis. */
interface TimeMark extends TimeRow {
  /** Middle of the mark, or of the study's where there is no other. */
  readonly at: number
  readonly publishedAt: number
}

function layOut(rows: readonly TimeRow[]): { readonly rows: readonly TimeMark[]; readonly height: number } {
  const heights = rows.map(({ time, published }) =>
    time && published ? rowHeight + publishedHeight : rowHeight,
  )
  const height = heights.reduce((sum, one) => sum + one, 0) || rowHeight
  let top = height
  const layout = rows.map((row, i) => {
    const middle = top - rowHeight / 2
    const at = row.time ? middle - markDown : middle
    top -= heights[i] ?? rowHeight
    return { ...row, at, publishedAt: row.time ? at - markHeight / 2 - publishedHeight / 2 : at }
  })
  return { rows: layout, height }
}

const measuredOf = (rows: readonly TimeMark[]): readonly (TimeMark & { readonly time: MeasuredTime })[] =>
  rows.flatMap((row) => (row.time ? [{ ...row, time: row.time }] : []))

/** What is approximate does not count either, and nothing is wrong with it. */
const isWrong = ({ fault }: MeasuredTime): boolean => fault !== null && fault !== 'approximate'

function strokes(
  name: string,
  colour: string,
  width: number,
  layout: readonly (readonly [number, number])[],
): FigureLayer {
  const [xs, ys] = [layout.map(([x]) => x), layout.map(([, y]) => y)]
  return { kind: 'line', name, colour, xs, ys, width, opacity: 1, dots: 0 }
}

const gap = [NaN, NaN] as const

/** From minimum to maximum with end strokes, in the colour of the contender. */
function intervalsOf(rows: readonly TimeMark[], theme: BenchmarkTheme): readonly FigureLayer[] {
  return measuredOf(rows).map(({ contender, time, at }) => {
    const { min, max } = time
    const end = (x: number) => [[x, at - whisker], [x, at + whisker], gap] as const
    const colour = isWrong(time) ? theme.error : contenderLook(contender).colour
    return strokes(t('benchmark.minimumToMaximum'), colour, 2, [
      ...end(min),
      [min, at],
      [max, at],
      gap,
      ...end(max),
    ])
  })
}

/** Marks of the medians in the look of the contender; what does not count has a stroke alone. */
function mediansOf(rows: readonly TimeMark[], theme: BenchmarkTheme): readonly FigureLayer[] {
  const measured = measuredOf(rows)
  const marks = measured.flatMap(({ contender, time: { median, fault }, at }) =>
    fault === null ? [{ ...contenderLook(contender), x: median, y: at, label: '' }] : [],
  )
  const others = measured.flatMap(({ time: { median, fault }, at }) =>
    fault === null ? [] : ([[median, at - markRadius], [median, at + markRadius], gap] as const),
  )
  return [
    strokes(t('benchmark.medianDoesNotCount'), theme.ink, 2, others),
    { kind: 'marks', marks, radius: markRadius, outline: 1, ring: 1 },
  ]
}

function runsOf(rows: readonly TimeMark[], theme: BenchmarkTheme): FigureLayer {
  const measured = measuredOf(rows)
  const dots = measured.flatMap(({ time, at }, look) => time.row.totalsMs.map((x) => ({ x, at, look })))
  return {
    kind: 'points',
    xs: dots.map(({ x }) => x),
    ys: dots.map(({ at }) => at),
    look: dots.map(({ look }) => look),
    looks: measured.map(({ contender, time }) => {
      const { colour, shape } = contenderLook(contender)
      return { shape, colour: isWrong(time) ? theme.error : softened(colour, 0.5) }
    }),
    radius: 2,
  }
}

const medianWords = ({ row, median }: MeasuredTime): string => `${markOf(row)}${shortTime(median)}`

const timeWords = (time: MeasuredTime): string =>
  time.fault ? `${medianWords(time)}, ${time.fault}` : medianWords(time)

function publishedWords({ system, ms, standsIn }: PublishedRow): string {
  return t('benchmark.published5', [system, shortTime(ms), standsIn ? ` (WebGPU ${standInMark()})` : ''])
}

const publishedMarks = (rows: readonly TimeMark[]): readonly PublishedMark[] =>
  rows.flatMap(({ contender, published, publishedAt }) =>
    published ? [{ x: published.ms, y: publishedAt, look: contenderLook(contender) }] : [],
  )

/** The number of each median, above its stroke and within the frame. `length` of the axis in CSS pixels. */
function mediansWords(
  rows: readonly TimeMark[],
  x: FigureAxis,
  length: number,
  theme: BenchmarkTheme,
): readonly FigureText[] {
  return measuredOf(rows).map(({ time, at }) => {
    const text = timeWords(time)
    const colour = isWrong(time) ? theme.error : theme.ink
    const [tip, half] = [shareOf(x, time.median) * length, aboutWidth(text, 11) / 2]
    const dx = Math.max(half, Math.min(length - half, tip)) - tip
    return { x: time.median, y: at, dx, dy: numberUp, text, colour, anchor: 'middle', rim: true }
  })
}

/** Words beside the marks of a study, left of them where the frame ends. */
function studyWords(rows: readonly TimeMark[], x: FigureAxis, theme: BenchmarkTheme): readonly FigureText[] {
  const half = Math.sqrt(x.min * x.max)
  return rows.flatMap((row): FigureText[] => {
    if (!row.published) return []
    const late = row.published.ms > half
    const tip = { x: row.published.ms, y: row.publishedAt, dx: late ? -9 : 9, dy: 0 }
    return [
      { ...tip, text: publishedWords(row.published), colour: theme.quietInk, anchor: late ? 'end' : 'start' },
    ]
  })
}

function timeAxis(rows: readonly TimeRow[], length: number): FigureAxis {
  const values = rows.flatMap(({ time, published }) => [
    ...(time ? [time.min, time.max] : []),
    ...(published ? [published.ms] : []),
  ])
  const { min, max } = positiveRange(values)
  const room = Math.max(1.1, (max / min) ** 0.05)
  return logAxis(t('benchmark.executionTimeMsLogarithmic'), min / room, max * room, length)
}

function bodyOf(all: readonly TimeRow[], width: number, theme: BenchmarkTheme): PlotBody {
  const { rows, height } = layOut(all)
  const labels = rows.map(({ contender, time }) => rowLabel(contender, time !== null && isWrong(time)))
  const ticks = rows.map(({ at }, i) => ({ value: at, label: labels[i] ?? '' }))
  const y: FigureAxis = { label: '', min: 0, max: height, log: false, ticks }
  const length = width - leftRoom(y) - right
  const x = timeAxis(rows, length)
  const published = publishedMarks(rows)
  const layers: FigureLayer[] = [
    ...intervalsOf(rows, theme),
    runsOf(rows, theme),
    ...mediansOf(rows, theme),
    ...publishedLayers(published, theme),
    { kind: 'texts', texts: [...mediansWords(rows, x, length, theme), ...studyWords(rows, x, theme)] },
  ]
  return { x, y, right, layers, key: publishedKey(published, theme) }
}

function tipOf({ contender, time, published, at }: TimeMark, study: string): PlotTip {
  const tip = { y: at, title: contenderName(contender) }
  const theirs = published
    ? [
        `${study}, ${published.system}: ${fullTime(published.ms)}`,
        ...(published.standsIn ? [`WebGPU ${standInMark()}`] : []),
      ]
    : []
  if (!time) return { ...tip, x: published?.ms ?? 1, lines: [t('benchmark.notTimedHere'), ...theirs] }
  return { ...tip, x: time.median, lines: [...timeLines(time.row), ...theirs] }
}

function summaryOf(rows: readonly TimeRow[]): string {
  const counted = rows.flatMap(({ time }) => (time && time.fault === null ? [time] : []))
  const [fastest, slowest] = [counted[0], counted.at(-1)]
  const wrong = rows.filter(({ time }) => time?.fault === 'disagrees').length
  const disagree = wrong === 0 ? '' : t('benchmark.disagreedWithTheReference', [plural(wrong, 'contender')])
  if (!fastest || !slowest) return t('benchmark.noTimeCountsYet', [disagree])
  const name = (time: MeasuredTime): string => contenderName(time.row.contender)
  if (fastest === slowest) return `${name(fastest)}: ${medianWords(fastest)}.${disagree}`
  const took = (time: MeasuredTime): string => t('benchmark.takes2', [name(time), medianWords(time)])
  const decided = decidedFastest(counted.map(({ row }) => row)) !== null
  const alike = counted.every(({ row }) => isLikeWork(fastest.row, row))
  const open = alike
    ? t('benchmark.whichContenderIsFastestIs', [undecided(), took(fastest)])
    : t('benchmark.hasTheLeastMedianFor', [
        name(fastest),
        medianWords(fastest),
        plural(fastest.row.iterations, 'iteration'),
      ])
  const first = decided ? t('benchmark.isFastestWith2', [name(fastest), medianWords(fastest)]) : open
  return `${first}; ${took(slowest)}, ${ratioWords(fastest, slowest)}.${disagree}`
}

/** How the slowest stands to the fastest, as far as the repeats and their iterations let it be said. */
function ratioWords(fastest: MeasuredTime, slowest: MeasuredTime): string {
  if (!isLikeWork(slowest.row, fastest.row)) {
    return t('benchmark.withInsteadOfCompareTheTimes', [
      plural(slowest.row.iterations, 'iteration'),
      fastest.row.iterations,
    ])
  }
  if (!isFaster(fastest.row.totalsMs, slowest.row.totalsMs)) return t('benchmark.anDifference', [undecided()])
  return t('benchmark.timesAsLong', [timesWord(slowest.median / fastest.median)])
}

/** The plot of a group; null while nothing of it is timed. */
export function timesPlot(document: BenchmarkDocument, group: Group): BenchmarkPlot | null {
  const rows = timeRows(document, group)
  if (!rows.some(({ time }) => time)) return null
  const layout = layOut(rows)
  const study = document.suite.publication?.title ?? ''
  return {
    name: `times-${groupSlug(group)}`,
    title: t('benchmark.executionTimes2', [groupWords(group)]),
    note: t('benchmark.markMedianLineMinimumToMaximum', [scaledHint(rowsOf(document, group))]),
    summary: summaryOf(rows),
    remarks: [
      ...remarksOn(rowsOf(document, group)),
      ...(rows.some(({ published }) => published !== null) ? scaleNotes(document.suite) : []),
    ],
    tips: layout.rows.map((row) => tipOf(row, study)),
    tipAxis: 'y',
    height: () => layout.height,
    body: ({ width }, theme) => bodyOf(rows, width, theme),
  }
}
