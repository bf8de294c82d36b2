import { localizedSentence } from '../locale/localized-sentence'
import type { Interval } from './bootstrap'
import { contendersOf, workloadsOf, rowAt } from './counted'
import type { BenchmarkDocument, CellKey, Measurement } from './document'
import { limitNotes } from './cell-limit'
import { markedScaled } from './scaled'
import { workNotes } from './work-notes'
import { speedupsOf, type Speedup } from './speedups'
import { speedupGapWords } from './gap-words'
import { reasonNotes } from './reason-notes'
import { gapCell, numberCell, unitColumn } from './table'
import type { Table, TableCell } from './table'
import { countedAt, workloadCells, workloadColumns } from './time-tables'
import { decidedFastest, isDecided, minLevel, undecided, whyUndecided } from './verdict'
import { t } from '../locale/translate'

/** Speed-ups over a baseline: a row for each dataset and k, a column for each contender; no number where one of the two does not count. */
export function speedupTable(document: BenchmarkDocument, baseline: string = document.suite.baseline): Table {
  const contenders = contendersOf(document)
  const speedups = speedupsOf(document, baseline)
  const byRow = new Map(speedups.map((one) => [one.row, one]))
  return {
    title: t('benchmark-tables.speedUpOverRatioOfMedians', [baseline]),
    columns: [...workloadColumns(), ...contenders.map((contender) => unitColumn(contender, '×'))],
    rows: workloadsOf(document).map((workload) => {
      const best = decidedFastest(countedAt(document, workload))
      const cells = contenders.map((contender) => {
        const row = rowAt(document, workload, contender)
        const found = row && byRow.get(row)
        const gap = () => speedupGap(document, baseline, { ...workload, contender }, found)
        return found === undefined || found.speedup === null ? gap() : speedupCell(found, found.speedup, best)
      })
      return [...workloadCells(workload), ...cells]
    }),
    notes: [
      ...workNotes(document, baseline),
      ...speedupNotes(speedups),
      ...limitNotes(document),
      ...reasonNotes(document),
    ],
  }
}

/** What stands in the place of a speed-up. @param found undefined where the cell is not finished */
export function speedupGap(
  document: BenchmarkDocument,
  baseline: string,
  key: CellKey,
  found: Speedup | undefined,
): TableCell {
  return gapCell(
    speedupGapWords(document, baseline, key),
    found?.row,
    found?.reason ? localizedSentence(found.reason) : null,
  )
}

function speedupCell(found: Speedup, speedup: number, best: Measurement | null): TableCell {
  const { interval, row } = found
  const why = undecidedBecause(found)
  const cell = numberCell(speedup, {
    state: row.state,
    range: intervalRange(interval),
    best: row === best && speedup > 1 && isDecided(interval),
    note: why && t('benchmark-tables.theSpeedUpIs', [why]),
  })
  return markedScaled(why === null ? cell : { ...cell, text: `~${cell.text}` }, found.scaled)
}

/** `inconclusive: the 94 % interval holds 1`; null where it is, and where there is nothing to decide. */
export function undecidedBecause({ row, baseline, speedup, interval }: Speedup): string | null {
  if (speedup === null || row.contender === baseline) return null
  const why = whyUndecided(interval)
  return why && `${undecided()}: ${why}`
}

/** `11.92 to 12.81`. */
export function intervalRange(interval: Interval | null): string | null {
  return interval && t('benchmark-tables.to', [numberCell(interval.low).text, numberCell(interval.high).text])
}

/** What the sign before a number means. */
export const undecidedMark = (): string =>
  t('benchmark-tables.beforeASpeedUpBecauseIts', [undecided(), 100 * minLevel])

function speedupNotes(speedups: readonly Speedup[]): readonly string[] {
  const levels = [...new Set(speedups.flatMap(({ interval }) => (interval ? [interval.level] : [])))]
  const method = levels.map((level) =>
    t('benchmark-tables.rangesIntervalsOfTheRatioBy', [Math.round(100 * level)]),
  )
  const open = speedups.some((one) => undecidedBecause(one) !== null) ? [undecidedMark()] : []
  return [...method, ...open]
}
