import type { PhaseTimings } from '../run-record'
import type { BenchmarkDocument, Measurement } from './document'
import { scaledNote } from './cell-limit'
import { withMark } from './scaled'
import { numberCell, textColumn, unitColumn } from './table'
import type { Table, TableCell } from './table'
import { contenderCell, regimeCell, workloadCells, workloadColumns } from './time-tables'
import { t } from '../locale/translate'

export const phaseNames = [
  'load',
  'upload',
  'init',
  'assign',
  'update',
  'converge',
  'iterate',
  'download',
  'other',
] as const
export type PhaseName = (typeof phaseNames)[number]

/** Of one phase; null where it was not timed apart. */
export function phaseMs(phases: PhaseTimings, phase: PhaseName): number | null {
  return phases[`${phase}Ms`]
}

/** Rows whose phases are known. */
export function phasedRows({ rows }: BenchmarkDocument): readonly (Measurement & { phases: PhaseTimings })[] {
  return rows.flatMap((row) => (row.phases === null ? [] : [{ ...row, phases: row.phases }]))
}

/** Where the time of each cell went: the mean over its instrumented runs, or, where there are none, over those that count. */
export function phasesTable(document: BenchmarkDocument): Table {
  const ofCounted = document.suite.timing === 'total'
  return {
    title: t('benchmark-tables.phasesMeanOfTheRunsTimed'),
    columns: [
      ...workloadColumns(),
      textColumn('contender'),
      textColumn('regime'),
      ...phaseNames.map((phase) => unitColumn(phase, 'ms')),
      unitColumn('total', 'ms'),
    ],
    rows: phasedRows(document).map((row) => [
      ...workloadCells(row),
      contenderCell(row),
      regimeCell(row.phasesRegime, row.phasesRegime === row.regime ? row.regimeReason : null),
      ...phaseNames.map((phase) => phaseCell(row, phase)),
      withMark(numberCell(row.phases.totalMs, { state: row.state }), row),
    ]),
    notes: [
      ofCounted
        ? t('benchmark-tables.theRunsAreTheCountedOnes')
        : t('benchmark-tables.thePhasesAreMeansOfSeparate'),
      ...(document.rows.some(({ scaledFrom }) => scaledFrom !== undefined) ? [scaledNote()] : []),
      t('benchmark-tables.theTotalIsWithoutLoadIterate'),
    ],
  }
}

const ofIterations: readonly PhaseName[] = ['assign', 'update', 'converge', 'iterate']

function phaseCell(row: Measurement & { readonly phases: PhaseTimings }, phase: PhaseName): TableCell {
  const cell = numberCell(phaseMs(row.phases, phase), { state: row.state })
  return cell.value !== null && ofIterations.includes(phase) ? withMark(cell, row) : cell
}
