import { counts } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { speedupsOf, type Speedup } from './speedups'
import { medianOf } from './statistics'
import { publishedMatches } from './published-match'
import type { PublishedTime } from './suite'
import { countCell, countColumn, numberCell, stateCell, textCell, textColumn, unitColumn } from './table'
import type { Table, TableCell } from './table'
import { intervalRange } from './speedup-table'
import { publishedNotes } from './table-notes'

/** Figures of the study beside those measured here; null where the suite names no publication. */
export function publishedTable(
  document: BenchmarkDocument,
  baseline: string = document.suite.baseline,
): Table | null {
  const { publication } = document.suite
  if (publication === null) return null
  const speedups = new Map(speedupsOf(document, baseline).map((one) => [one.row, one]))
  const points = new Map(document.plan.map(({ dataset, n }) => [dataset, n]))
  return {
    title: `${publication.title}: published beside measured`,
    columns: [
      textColumn('dataset'),
      countColumn('N here'),
      countColumn('k'),
      textColumn('system of the study'),
      textColumn('contender here'),
      unitColumn('published', 'ms'),
      unitColumn('measured', 'ms'),
      unitColumn('published speed-up', '×'),
      unitColumn(`measured over ${baseline}`, '×'),
    ],
    rows: publication.times.flatMap((time) => publishedRows(document, time, points, speedups)),
    notes: [
      `Published on: ${publication.hardware}.`,
      ...publishedNotes(document.suite),
      publication.note,
    ].filter((note) => note !== ''),
  }
}

type Speedups = ReadonlyMap<Measurement, Speedup>

/** One for each contender that stands for the study's system: its engine may run on some devices. */
function publishedRows(
  document: BenchmarkDocument,
  time: PublishedTime,
  pointsOf: ReadonlyMap<string, number>,
  speedups: Speedups,
): readonly (readonly TableCell[])[] {
  const { dataset, k, contender, system, ms, speedup } = time
  // A suite can be scaled: the study's own number stands in the name of its dataset.
  const points = pointsOf.get(dataset)
  const cells = (found: Measurement | undefined): readonly TableCell[] => [
    textCell(dataset),
    points === undefined ? textCell('') : countCell(points),
    countCell(k),
    textCell(system),
    textCell(found?.contender ?? contender, { state: found?.state ?? null }),
    numberCell(ms),
    measuredCell(found),
    numberCell(speedup),
    speedupCell(found, speedups),
  ]
  const found = publishedMatches(document, time)
  return found.length === 0 ? [cells(undefined)] : found.map(({ row }) => cells(row))
}

function measuredCell(row: Measurement | undefined): TableCell {
  if (row === undefined || !counts(row)) return stateCell(row, row?.reason ?? null)
  return numberCell(medianOf(row.totalsMs), { state: row.state })
}

function speedupCell(row: Measurement | undefined, speedups: Speedups): TableCell {
  const found = row && speedups.get(row)
  if (found === undefined || found.speedup === null) return stateCell(row, found?.reason ?? null)
  return numberCell(found.speedup, { state: found.row.state, range: intervalRange(found.interval) })
}
