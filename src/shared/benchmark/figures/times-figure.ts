import { stateWords } from '../table'
import { contenderLook, type ContenderLook } from '../contender-look'
import { contendersOf, counts, workloadsOf, rowAt } from '../counted'
import type { BenchmarkDocument, Measurement } from '../document'
import { publishedSpeedups, publishedTimes, type PublishedNumbers } from '../published-marks'
import { fromMade, scaledMark } from '../scaled'
import { significant } from '../significant'
import { undecidedBecause } from '../speedup-table'
import { speedupsOf, type Speedup } from '../speedups'
import { statisticsOf } from '../statistics'
import { dotPlot, type DotGroup, type DotRow } from './dot-plot'
import { byPage, workloadText } from './workloads'
import type { SvgFigure } from './svg'
import { t } from '../../locale/translate'

/** Execution times of every cell that is done: median as a dot, minimum to maximum as a line. */
export function timesFigures(document: BenchmarkDocument): readonly SvgFigure[] {
  return byPage(timesGroups(document)).flatMap((page) =>
    shown(
      dotPlot({
        title: t('benchmark-tables.executionTimes'),
        axis: t('benchmark-tables.millisecondsLogarithmicMedianAndLeastTo'),
        groups: page,
        lineAt: null,
      }),
    ),
  )
}

export function timesGroups(document: BenchmarkDocument): readonly DotGroup[] {
  const published = publishedTimes(document)
  return groupsOf(document, (row, look) => ({ ...timeRow(row, look), published: valuesOf(published, row) }))
}

/** Speed-ups over the baseline with their intervals, `~` before those not decided; the baseline is the line at 1. */
export function speedupFigures(document: BenchmarkDocument, baseline: string): readonly SvgFigure[] {
  const axis = t('benchmark-tables.timesAsFastAsLogarithmicRatio', [baseline])
  return byPage(speedupGroups(document, baseline)).flatMap((page) =>
    shown(dotPlot({ title: t('benchmark-tables.speedUpOver', [baseline]), axis, groups: page, lineAt: 1 })),
  )
}

export function speedupGroups(document: BenchmarkDocument, baseline: string): readonly DotGroup[] {
  const speedups = new Map(speedupsOf(document, baseline).map((speedup) => [speedup.row, speedup]))
  const published = publishedSpeedups(document, baseline)
  return groupsOf(document, (row, look) =>
    row.contender === baseline
      ? null
      : { ...speedupRow(speedups.get(row), row, look), published: valuesOf(published, row) },
  )
}

const valuesOf = (numbers: PublishedNumbers, row: Measurement): readonly number[] =>
  (numbers.get(row) ?? []).map(({ value }) => value)

type OwnRow = Omit<DotRow, 'published'>

function groupsOf(
  document: BenchmarkDocument,
  rowOf: (row: Measurement, look: ContenderLook) => DotRow | null,
): readonly DotGroup[] {
  const contenders = contendersOf(document)
  return workloadsOf(document).flatMap((workload) => {
    const rows = contenders.flatMap((contender) => {
      const found = rowAt(document, workload, contender)
      const row = found && rowOf(found, contenderLook(contender))
      return row ? [row] : []
    })
    return rows.length === 0 ? [] : [{ heading: workloadText(workload), rows }]
  })
}

function timeRow(row: Measurement, look: ContenderLook): OwnRow {
  const { min, median, max } = statisticsOf(row.totalsMs)
  if (!counts(row) || min === null || median === null || max === null || min <= 0)
    return refused(row, look, t('benchmark-tables.notVerified'))
  const says = withFrom(`${significant(median)} ms`, fromMade(row))
  return { name: row.contender, look, value: median, range: [min, max], says }
}

function speedupRow(found: Speedup | undefined, row: Measurement, look: ContenderLook): OwnRow {
  if (found === undefined || found.speedup === null)
    return refused(row, look, t('benchmark-tables.noSpeedUp'))
  const { speedup, interval } = found
  const range = interval && ([interval.low, interval.high] as const)
  return {
    name: row.contender,
    look,
    value: speedup,
    range,
    says: withFrom(`${undecidedBecause(found) === null ? '' : '~'}${significant(speedup)}×`, found.scaled),
  }
}

/** `≈ 12 ms from 10 of 50 iterations` */
function withFrom(text: string, from: string | null): string {
  return from === null ? text : `${scaledMark}${text} ${from}`
}

function refused({ contender, state }: Measurement, look: ContenderLook, measured: string): OwnRow {
  return {
    name: contender,
    look,
    value: null,
    range: null,
    says: state === 'measured' ? measured : stateWords[state],
  }
}

function shown(figure: SvgFigure | null): readonly SvgFigure[] {
  return figure === null ? [] : [figure]
}
