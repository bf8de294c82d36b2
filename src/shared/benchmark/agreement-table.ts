import { gradeOf } from '../approximate'
import { workloadId } from './cells'
import { uncountedWords } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { comparedCell, iterationsCell } from './scaled'
import { countCell, countColumn, numberCell, stateWords, textCell, textColumn, unitColumn } from './table'
import type { Table, TableCell } from './table'
import { contenderCell, workloadCells, workloadColumns } from './time-tables'
import { t } from '../locale/translate'

/** What the check of every result against the reference gave; a time counts only where it agrees. */
export function agreementTable({ rows }: BenchmarkDocument): Table {
  const hashes = canonicalHashes(rows)
  return {
    title: t('benchmark-tables.agreementWithTheReference'),
    columns: [
      ...workloadColumns(),
      ...['contender', 'state', 'reference'].map(textColumn),
      unitColumn(t('benchmark-tables.labelsAlike'), '%'),
      unitColumn(t('benchmark-tables.largestCentroidDifference'), 'ranges'),
      countColumn(t('benchmark-tables.labelsChecked')),
      countColumn('iterations'),
      countColumn(t('benchmark-tables.ofTheReference')),
      countColumn('inertia'),
      ...[t('benchmark-tables.sameBytes'), 'reason'].map(textColumn),
    ],
    rows: rows.map((row) => agreementRow(row, hashes)),
    notes: [
      t('benchmark-tables.labelsCheckedAreComparedWithFloat64'),
      t('benchmark-tables.canonicalContendersAgreeWhereTheirResults'),
    ],
  }
}

function agreementRow(row: Measurement, hashes: Hashes): readonly TableCell[] {
  const { state, verification } = row
  const ran = state === 'measured' || state === 'approximate' || state === 'disagrees'
  return [
    ...workloadCells(row),
    contenderCell(row),
    textCell(stateWords[state], { state }),
    textCell(verification?.reference ?? '–'),
    comparedCell(row, shareCell(verification?.labelAgreement ?? null)),
    comparedCell(row, numberCell(verification?.centroidDifference ?? null, { state })),
    verification === null ? numberCell(null) : countCell(verification.labelsChecked),
    ran ? iterationsCell(row) : numberCell(null),
    wholeCell(verification?.referenceIterations ?? null),
    numberCell(row.inertia),
    textCell(sameBytes(row, hashes), { state }),
    textCell(uncountedWords(row) ?? '', { state }),
  ]
}

/** Of each workload the results of its canonical contenders. */
type Hashes = ReadonlyMap<string, readonly string[]>

function canonicalHashes(rows: readonly Measurement[]): Hashes {
  const hashes = new Map<string, string[]>()
  for (const row of rows) {
    if (row.resultSha256 === undefined || !isCanonical(row)) continue
    const id = workloadId(row)
    hashes.set(id, [...(hashes.get(id) ?? []), row.resultSha256])
  }
  return hashes
}

function isCanonical({ engine, variant }: Measurement): boolean {
  return engine !== null && gradeOf(variant, engine) === 'canonical'
}

function sameBytes(row: Measurement, hashes: Hashes): string {
  if (row.resultSha256 === undefined || !isCanonical(row)) return '–'
  const all = hashes.get(workloadId(row)) ?? []
  const alike = all.filter((hash) => hash === row.resultSha256).length
  return all.length === 1
    ? t('benchmark-tables.theOnlyOne')
    : t('benchmark-tables.ofAlike', [alike, all.length])
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
