/** What each iteration took, a line for each contender. */
import { contenderLook, contenderName } from '@shared/benchmark/contender-look'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { iterationMs } from '@shared/benchmark/iteration-ms'
import { medianOf } from '@shared/benchmark/statistics'
import { exactAxis } from '../figure/ticks'
import type { FigureLayer } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { fromZero, logAxis, positiveRange } from './axes'
import type { BenchmarkTheme } from './benchmark-theme'
import { endLabels, labelRoom, labelsFit } from './end-labels'
import { groupSlug, groupWords, remarksOn, rowsOf, untimedRemarks, type Group } from './groups'
import type { BenchmarkPlot, PlotBody, PlotTip } from './plot'
import { fullTime, rowLabel, shortTime } from './words'
import { t } from '@/i18n'

export interface IterationLine {
  readonly contender: string
  readonly disagrees: boolean
  readonly iterations: readonly number[]
  readonly ms: readonly number[]
}

/** Contenders whose iterations were timed, in the order of the suite. */
export function iterationLines(document: BenchmarkDocument, group: Group): readonly IterationLine[] {
  return rowsOf(document, group).flatMap(({ contender, state, iterationTimes }) => {
    const timed = iterationTimes.flatMap((time) => {
      const ms = iterationMs(time)
      return ms === null ? [] : [{ iteration: time.iteration, ms }]
    })
    if (timed.length === 0) return []
    const iterations = timed.map(({ iteration }) => iteration)
    return [{ contender, disagrees: state === 'disagrees', iterations, ms: timed.map(({ ms }) => ms) }]
  })
}

/** Beyond this many places marks would run into a thick line. */
const maxMarks = 40

function layersOf(lines: readonly IterationLine[], theme: BenchmarkTheme): readonly FigureLayer[] {
  return lines.flatMap(({ contender, disagrees, iterations, ms }): FigureLayer[] => {
    const look = contenderLook(contender)
    const colour = disagrees ? theme.error : look.colour
    const line: FigureLayer = {
      kind: 'line',
      name: contenderName(contender),
      colour,
      xs: iterations,
      ys: ms,
      width: 1.5,
      opacity: 1,
      dots: 0,
    }
    const marks = iterations.length <= maxMarks ? iterations.map((_, at) => at) : [0, iterations.length - 1]
    const xs = marks.map((at) => iterations[at] ?? NaN)
    const ys = marks.map((at) => ms[at] ?? NaN)
    const points: FigureLayer = {
      kind: 'points',
      xs,
      ys,
      look: marks.map(() => 0),
      looks: [{ ...look, colour }],
      radius: 3,
    }
    return [line, points]
  })
}

interface Size {
  readonly width: number
  readonly height: number
}

function bodyOf(
  lines: readonly IterationLine[],
  log: boolean,
  { width, height }: Size,
  theme: BenchmarkTheme,
): PlotBody {
  const labelled = labelsFit(lines.length, height, width)
  const names = lines.map(({ contender, disagrees }) => rowLabel(contender, disagrees))
  const right = labelled ? labelRoom(names) : 16
  const { min, max } = positiveRange(lines.flatMap(({ ms }) => ms))
  const parts = Math.floor(height / 45) * 80
  const y = log
    ? logAxis(t('benchmark.timeOfAnIterationMsLogarithmic'), min / 1.15, max * 1.15, height, false)
    : fromZero(t('benchmark.timeOfAnIterationMs'), max * 1.04, parts)
  const last = Math.max(2, ...lines.map(({ iterations }) => iterations.at(-1) ?? 1))
  const wide = Math.max(2, Math.floor((width - leftRoom(y) - right) / 60))
  const x = exactAxis({ label: t('benchmark.iteration'), min: 1, max: last, parts: wide, whole: true })
  const colourOf = ({ contender, disagrees }: IterationLine): string =>
    disagrees ? theme.error : contenderLook(contender).colour
  const ends = lines.map((line, at) => ({
    contender: names[at] ?? '',
    ink: line.disagrees ? theme.error : theme.ink,
    mark: { ...contenderLook(line.contender), colour: colourOf(line) },
    y: line.ms.at(-1) ?? NaN,
  }))
  const layers = layersOf(lines, theme)
  const key = lines.map((line, at) => ({
    label: names[at] ?? '',
    colour: colourOf(line),
    shape: contenderLook(line.contender).shape,
  }))
  return labelled
    ? { x, y, right, layers: [...layers, { kind: 'texts', texts: endLabels(ends, x, y, height) }], key: [] }
    : { x, y, right, layers, key }
}

/** One tip for each iteration, naming every contender. */
function tipsOf(lines: readonly IterationLine[]): readonly PlotTip[] {
  const byIteration = new Map<number, { y: number; lines: string[] }>()
  for (const { contender, iterations, ms } of lines)
    iterations.forEach((iteration, at) => {
      const time = ms[at] ?? NaN
      const tip = byIteration.get(iteration) ?? { y: time, lines: [] }
      tip.lines.push(`${contenderName(contender)} ${fullTime(time)}`)
      byIteration.set(iteration, { ...tip, y: Math.max(tip.y, time) })
    })
  return [...byIteration]
    .sort(([a], [b]) => a - b)
    .map(([x, { y, lines: said }]) => ({ x, y, title: t('benchmark.iteration2', [x]), lines: said }))
}

function summaryOf(lines: readonly IterationLine[]): string {
  const said = lines.map(({ contender, ms }) => {
    const first = ms[0] ?? NaN
    return t('benchmark.takesAnIterationInTheMedian', [
      contenderName(contender),
      shortTime(medianOf(ms)),
      shortTime(first),
    ])
  })
  return `${said.slice(0, 3).join('; ')}.`
}

/** The plot of a group; null where no iteration was timed. */
export function iterationsPlot(
  document: BenchmarkDocument,
  group: Group,
  log: boolean,
): BenchmarkPlot | null {
  const lines = iterationLines(document, group)
  if (lines.length === 0) return null
  const all = rowsOf(document, group)
  return {
    name: `iterations-${groupSlug(group)}`,
    title: t('benchmark.timeOfEachIteration2', [groupWords(group)]),
    note: t('benchmark.meansOverTheRunsThatWere2'),
    summary: summaryOf(lines),
    remarks: [...untimedRemarks(all, lines, 'iterations'), ...remarksOn(all)],
    tips: tipsOf(lines),
    tipAxis: 'x',
    height: (width, room = Infinity) => Math.max(200, Math.min(320, width * 0.4, room)),
    body: (size, theme) => bodyOf(lines, log, size, theme),
  }
}
