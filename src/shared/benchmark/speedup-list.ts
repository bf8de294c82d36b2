import type { BenchmarkDocument } from './document'
import { speedupsOf, type Speedup } from './speedups'
import { numberCell, stateWords, textCell, textColumn, unitColumn } from './table'
import { markedScaled } from './scaled'
import { speedupGap, undecidedBecause } from './speedup-table'
import type { Table, TableCell } from './table'
import { contenderCell, workloadCells, workloadColumns } from './time-tables'
import { localizedSentence } from '../locale/localized-sentence'
import { t } from '../locale/translate'

/** The long form of the speed-ups: a row for each cell, its interval in columns of their own. */
export function speedupList(document: BenchmarkDocument, baseline: string = document.suite.baseline): Table {
  return {
    title: t('benchmark-tables.speedUpOverRatioOfMedians', [baseline]),
    columns: [
      ...workloadColumns(),
      ...['contender', 'baseline'].map(textColumn),
      ...['speed-up', 'from', 'to'].map((name) => unitColumn(name, '×')),
      unitColumn('level', '%'),
      ...['state', 'note'].map(textColumn),
    ],
    rows: speedupsOf(document, baseline).map((found) => speedupRow(document, found)),
    notes: [t('benchmark-tables.fromToIntervalOfTheRatio')],
  }
}

function speedupRow(document: BenchmarkDocument, found: Speedup): readonly TableCell[] {
  const { row, baseline, speedup, interval, reason, scaled } = found
  return [
    ...workloadCells(row),
    contenderCell(row),
    textCell(baseline),
    speedup === null ? speedupGap(document, baseline, row, found) : markedScaled(numberCell(speedup), scaled),
    ...[interval?.low ?? null, interval?.high ?? null].map((ratio) => numberCell(ratio)),
    numberCell(interval && 100 * interval.level),
    textCell(stateWords[row.state], { state: row.state }),
    textCell(reason === null ? (undecidedBecause(found) ?? '') : localizedSentence(reason)),
  ]
}
