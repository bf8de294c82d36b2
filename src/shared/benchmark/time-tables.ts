import { workloadId, rowsByWorkload } from './cells'
import { contendersOf, counts, workloadsOf, rowAt, whyNotCounted, type Workload } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { regimeNotes } from './regime-notes'
import { statisticsOf } from './statistics'
import { countCell, countColumn, numberCell, stateCell, textCell, textColumn, unitColumn } from './table'
import type { Table, TableCell, TableColumn } from './table'
import { dataNotes, noisyNotes } from './table-notes'
import { decidedFastest, isLikeWork, undecided } from './verdict'

/** Columns that name dataset and k in every table. */
export const workloadColumns: readonly TableColumn[] = [
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
    title: 'Execution times (median of the repeats)',
    columns: [...workloadColumns, ...contenders.map((contender) => unitColumn(contender, 'ms'))],
    rows: workloadsOf(document).map((workload) => {
      const rows = contenders.map((contender) => rowAt(document, workload, contender))
      const fastest = decidedFastest(countedAt(document, workload))
      return [
        ...workloadCells(workload),
        ...rows.map((row) => timeCell(row, row !== undefined && row === fastest)),
      ]
    }),
    notes: [
      ...dataNotes(document),
      ...noisyNotes(document),
      ...openNotes(document),
      ...disagreementNotes(document),
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
    ...notes(`Which is fastest is ${undecided}`, workloads(true)),
    ...notes(
      'No time is marked as the fastest where numbers of iterations differ (compare the times per iteration)',
      workloads(false),
    ),
  ]
}

/** A time that does not count is still told, with its state; where there is none, the state stands for it. */
function timeCell(row: Measurement | undefined, best: boolean): TableCell {
  if (row === undefined || row.totalsMs.length === 0) return stateCell(row, row ? whyNotCounted(row) : null)
  const { min, median, max } = statisticsOf(row.totalsMs)
  const range = row.totalsMs.length < 2 ? null : `${numberCell(min).text} to ${numberCell(max).text}`
  return numberCell(median, { state: row.state, note: whyNotCounted(row), range, best })
}

/** Every statistic of every cell: the long form of the execution times. */
export function statisticsTable(document: BenchmarkDocument): Table {
  const times = ['mean', 'median', 'sd', 'min', 'max', 'per iteration'].map((name) => unitColumn(name, 'ms'))
  const before = [
    textColumn('contender'),
    textColumn('regime'),
    textColumn('device'),
    countColumn('iterations'),
    countColumn('repeats'),
  ]
  return {
    title: 'Execution times (all statistics)',
    columns: [...workloadColumns, ...before, ...times, textColumn('state')],
    rows: document.rows.map(statisticsRow),
    notes: ['sd: standard deviation of the sample.', ...regimeNotes(document)],
  }
}

function statisticsRow(row: Measurement): readonly TableCell[] {
  const { mean, median, deviation, min, max, count } = statisticsOf(row.totalsMs)
  const { state } = row
  return [
    ...workloadCells(row),
    contenderCell(row),
    regimeCell(row.regime, row.regimeReason),
    textCell(row.device ?? '–'),
    count === 0 ? numberCell(null) : countCell(row.iterations),
    countCell(count),
    ...[mean, median, deviation, min, max, row.perIterationMs].map((ms) => numberCell(ms, { state })),
    textCell(state, { state, note: whyNotCounted(row) }),
  ]
}

/** The contender of a row that a whole line stands for, with its state and why it does not count. */
export function contenderCell(row: Measurement): TableCell {
  return textCell(row.contender, { state: row.state, note: whyNotCounted(row) })
}

/** How a variant was carried out. @param reason one sentence */
export function regimeCell(regime: string | null, reason: string | null): TableCell {
  return textCell(regime ?? '–', { note: reason })
}

/** Why a time in the table does not count. */
function disagreementNotes({ rows }: BenchmarkDocument): readonly string[] {
  return rows.flatMap((row) => {
    const reason = whyNotCounted(row)
    return reason === null
      ? []
      : [`${row.contender} on ${row.dataset}, k = ${row.k}, ${row.state}: ${reason}`]
  })
}
