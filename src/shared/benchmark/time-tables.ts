import { workloadId, rowsByWorkload } from './cells'
import {
  contendersOf,
  counts,
  precisionThatRan,
  workloadsOf,
  rowAt,
  uncountedWords,
  type Workload,
} from './counted'
import type { BenchmarkDocument, CellKey, Measurement } from './document'
import { limitNotes } from './cell-limit'
import { fromMade, iterationsCell, markedScaled, withMark } from './scaled'
import { regimeNotes } from './regime-notes'
import { statisticsOf } from './statistics'
import { gapWords } from './gap-words'
import { reasonNotes } from './reason-notes'
import {
  countCell,
  countColumn,
  gapCell,
  numberCell,
  stateWords,
  textCell,
  textColumn,
  unitColumn,
} from './table'
import type { Table, TableCell, TableColumn } from './table'
import { dataNotes, noisyNotes } from './table-notes'
import { decidedFastest, isLikeWork, undecided } from './verdict'
import { t } from '../locale/translate'

/** Columns that name dataset and k in every table. */
export const workloadColumns = (): readonly TableColumn[] => [
  textColumn('dataset'),
  ...['N', 'd', 'k'].map((size) => countColumn(size)),
]

export function workloadCells({ dataset, n, d, k }: Workload): readonly TableCell[] {
  return [textCell(dataset), countCell(n), countCell(d), countCell(k)]
}

/** The execution times: a row for each dataset and k, a column for each contender, the median of its repeats. */
export function timeTable(document: BenchmarkDocument): Table {
  const contenders = contendersOf(document)
  return {
    title: t('benchmark-tables.executionTimesMedianOfTheRepeats'),
    columns: [...workloadColumns(), ...contenders.map((contender) => unitColumn(contender, 'ms'))],
    rows: workloadsOf(document).map((workload) => {
      const fastest = decidedFastest(countedAt(document, workload))
      return [
        ...workloadCells(workload),
        ...contenders.map((contender) => timeCell(document, { ...workload, contender }, fastest)),
      ]
    }),
    notes: [
      ...dataNotes(document),
      ...noisyNotes(document),
      ...openNotes(document),
      ...limitNotes(document),
      ...reasonNotes(document),
    ],
  }
}

/** Rows of one dataset and k whose times count. */
export function countedAt({ rows }: BenchmarkDocument, workload: Workload): readonly Measurement[] {
  return (rowsByWorkload(rows).get(workloadId(workload)) ?? []).filter(counts)
}

/** Where no time is marked as the best though there are several. */
function openNotes(document: BenchmarkDocument): readonly string[] {
  const open = workloadsOf(document).flatMap(({ dataset, n, d, k }) => {
    const rows = countedAt(document, { dataset, n, d, k })
    if (rows.length < 2 || decidedFastest(rows) !== null) return []
    return [{ where: `${dataset}, k = ${k}`, alike: rows.every((row) => isLikeWork(row, rows[0])) }]
  })
  const workloads = (wanted: boolean) =>
    open.filter(({ alike }) => alike === wanted).map(({ where }) => where)
  const notes = (words: string, found: readonly string[]) =>
    found.length === 0 ? [] : [`${words}: ${found.join('; ')}.`]
  return [
    ...notes(t('benchmark-tables.whichIsFastestIs', [undecided()]), workloads(true)),
    ...notes(t('benchmark-tables.noTimeIsMarkedAsThe'), workloads(false)),
  ]
}

/** A time that does not count is still told, with its state; where there is none, the words why. */
function timeCell(document: BenchmarkDocument, key: CellKey, fastest: Measurement | null): TableCell {
  const row = rowAt(document, key, key.contender)
  const note = row ? uncountedWords(row) : null
  if (row === undefined || row.totalsMs.length === 0) return gapCell(gapWords(document, key), row, note)
  const { min, median, max } = statisticsOf(row.totalsMs)
  const range =
    row.totalsMs.length < 2 ? null : t('benchmark-tables.to', [numberCell(min).text, numberCell(max).text])
  const cell = numberCell(median, { state: row.state, note, range, best: row === fastest })
  return markedScaled(cell, fromMade(row))
}

/** Every statistic of every cell: the long form of the execution times. */
export function statisticsTable(document: BenchmarkDocument): Table {
  const hasOneRun = document.rows.some(({ totalsMs }) => totalsMs.length === 1)
  const times = ['mean', 'median', 'sd', 'min', 'max', t('benchmark-tables.perIteration')].map((name) =>
    unitColumn(name, 'ms'),
  )
  const before = [
    textColumn('contender'),
    textColumn('regime'),
    textColumn('precision'),
    textColumn('device'),
    countColumn('iterations'),
    countColumn('repeats'),
  ]
  return {
    title: t('benchmark-tables.executionTimesAllStatistics'),
    columns: [...workloadColumns(), ...before, ...times, textColumn('state')],
    rows: document.rows.map((row) => statisticsRow(document, row)),
    notes: [
      t('benchmark-tables.sdStandardDeviationOfTheSample', [
        hasOneRun ? t('benchmark-tables.oneRepeatHasNone') : '',
      ]),
      ...limitNotes(document),
      ...regimeNotes(document),
    ],
  }
}

function statisticsRow(document: BenchmarkDocument, row: Measurement): readonly TableCell[] {
  const { mean, median, deviation, min, max, count } = statisticsOf(row.totalsMs)
  const { state } = row
  const totals = [mean, median, deviation, min, max].map((ms) => withMark(numberCell(ms, { state }), row))
  const times = [...totals, numberCell(row.perIterationMs, { state })]
  if (count === 0) times[1] = gapCell(gapWords(document, row), row, uncountedWords(row))
  return [
    ...workloadCells(row),
    contenderCell(row),
    regimeCell(row.regime, row.regimeReason),
    textCell(precisionThatRan(row) ?? '–'),
    textCell(row.device ?? '–'),
    count === 0 ? numberCell(null) : iterationsCell(row),
    countCell(count),
    ...times,
    textCell(stateWords[state], { state, note: uncountedWords(row) }),
  ]
}

/** The contender of a row that a whole line stands for, with its state and why it does not count. */
export function contenderCell(row: Measurement): TableCell {
  return textCell(row.contender, { state: row.state, note: uncountedWords(row) })
}

/** How a variant was carried out. @param reason one sentence */
export function regimeCell(regime: string | null, reason: string | null): TableCell {
  return textCell(regime ?? '–', { note: reason })
}
