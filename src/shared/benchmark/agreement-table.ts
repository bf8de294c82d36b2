import { whyNotCounted } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { comparedCell, iterationsCell } from './scaled'
import { countCell, countColumn, numberCell, textCell, textColumn, unitColumn } from './table'
import type { Table, TableCell } from './table'
import { contenderCell, workloadCells, workloadColumns } from './time-tables'

/** What the check of every result against the reference gave; a time counts only where it agrees. */
export function agreementTable({ rows }: BenchmarkDocument): Table {
  return {
    title: 'Agreement with the reference',
    columns: [
      ...workloadColumns,
      ...['contender', 'state', 'reference'].map(textColumn),
      unitColumn('labels alike', '%'),
      unitColumn('largest centroid difference', 'ranges'),
      countColumn('labels checked'),
      countColumn('iterations'),
      countColumn('of the reference'),
      countColumn('inertia'),
      textColumn('reason'),
    ],
    rows: rows.map(agreementRow),
    notes: [
      'Labels checked are compared with float64 distances, at the start and at the end of the run; the largest difference of a coordinate of a final centroid is in ranges of its feature.',
    ],
  }
}

function agreementRow(row: Measurement): readonly TableCell[] {
  const { state, verification } = row
  const ran = state === 'measured' || state === 'approximate' || state === 'disagrees'
  return [
    ...workloadCells(row),
    contenderCell(row),
    textCell(state, { state }),
    textCell(verification?.reference ?? '–'),
    comparedCell(row, shareCell(verification?.labelAgreement ?? null)),
    comparedCell(row, numberCell(verification?.centroidDifference ?? null, { state })),
    verification === null ? numberCell(null) : countCell(verification.labelsChecked),
    ran ? iterationsCell(row) : numberCell(null),
    wholeCell(verification?.referenceIterations ?? null),
    numberCell(row.inertia),
    textCell(whyNotCounted(row) ?? '', { state }),
  ]
}

/** In full: 99.9999 % must not be rounded to all. */
function shareCell(share: number | null): TableCell {
  if (share === null) return numberCell(null)
  const percent = 100 * share
  const rounded = percent.toFixed(4)
  const text = share === 1 ? '100' : rounded === '100.0000' ? '> 99.9999' : rounded
  return numberCell(percent, { text })
}

function wholeCell(value: number | null): TableCell {
  return value === null ? numberCell(null) : countCell(value)
}
