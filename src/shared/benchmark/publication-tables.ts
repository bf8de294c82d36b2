import type { BenchmarkDocument } from './document'
import { publishedTable } from './published-table'
import { ratioDetailsTable, ratioTable } from './ratio-tables'
import type { Table } from './table'

export interface PublicationTable {
  /** In a word or two, e.g. as the name of a sheet. */
  readonly name: 'Published' | 'Ratios' | 'Ratio data'
  readonly table: Table
}

/** What the study published beside what was measured: its times, its ratios, and the data behind these. */
export function publicationTables(
  document: BenchmarkDocument,
  baseline: string = document.suite.baseline,
): readonly PublicationTable[] {
  const times = publishedTable(document, baseline)
  const ratios = ratioTable(document)
  // Without times the notes stand below the ratios.
  const hasTimes = times !== null && (times.rows.length > 0 || ratios === null)
  return [
    ...named('Published', hasTimes ? times : null),
    ...named('Ratios', ratios),
    ...named('Ratio data', ratioDetailsTable(document)),
  ]
}

function named(name: PublicationTable['name'], table: Table | null): readonly PublicationTable[] {
  return table === null ? [] : [{ name, table }]
}
