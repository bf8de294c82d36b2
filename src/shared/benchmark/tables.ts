import { agreementTable } from './agreement-table'
import { crossoverTable } from './crossover-table'
import type { BenchmarkDocument } from './document'
import { phasedRows, phasesTable } from './phases-table'
import { publicationTables } from './publication-tables'
import { scalingGroups } from './scaling'
import { speedupTable } from './speedup-table'
import type { Table } from './table'
import { statisticsTable, timeTable } from './time-tables'

/** Every table of a comparison, in the order of the report; those that would be empty are left out. */
export function tablesOf(
  document: BenchmarkDocument,
  baseline: string = document.suite.baseline,
): readonly Table[] {
  return [
    timeTable(document),
    speedupTable(document, baseline),
    ...publicationTables(document, baseline).map(({ table }) => table),
    ...scalingGroups(document)
      .map(crossoverTable)
      .filter(({ rows, notes }) => rows.length > 0 || notes.length > 1),
    ...(phasedRows(document).length === 0 ? [] : [phasesTable(document)]),
    statisticsTable(document),
    agreementTable(document),
  ]
}
