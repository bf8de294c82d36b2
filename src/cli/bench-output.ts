import { configurationLine } from '@shared/benchmark/configuration-text'
import { whyNotCounted } from '@shared/benchmark/counted'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { workNotes } from '@shared/benchmark/work-notes'
import { machineLine } from '@shared/benchmark/machine-text'
import { publishedTable } from '@shared/benchmark/published-table'
import { significant } from '@shared/benchmark/significant'
import { speedupsOf } from '@shared/benchmark/speedups'
import { statisticsOf } from '@shared/benchmark/statistics'
import { headerText, type Table } from '@shared/benchmark/table'
import { textTable } from './text-table'

/** A finished comparison for reading: times with speed-ups and agreement, then what the study published. */
export function benchText(document: BenchmarkDocument, files: readonly string[]): string {
  const { suite, machine, startedAt } = document
  const published = publishedTable(document)
  const parts = [
    `${suite.name}\n${machineLine(machine, startedAt)}\nConfiguration: ${configurationLine(document)}\n`,
    timesTable(document),
    [...workNotes(document, suite.baseline).map((note) => `${note}\n`), reasons(document.rows)].join(''),
    published === null || published.rows.length === 0 ? '' : plainTable(published),
    files.map((file) => `Written: ${file}\n`).join(''),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** One line for each row, the baseline's own among them. */
function timesTable(document: BenchmarkDocument): string {
  const { baseline } = document.suite
  const header = [
    ...['dataset', 'N', 'd', 'k', 'contender', 'runs', 'median ms', 'mean', 'sd', 'min', 'max'],
    ...['iterations', 'speed-up', 'labels alike', 'state'],
  ]
  const rows = speedupsOf(document, baseline).map(({ row, speedup }) => [
    row.dataset,
    ...[row.n, row.d, row.k].map(String),
    row.contender,
    ...timesOf(row),
    row.iterations === 0 ? '-' : String(row.iterations),
    speedup === null ? '-' : significant(speedup),
    agreementOf(row),
    row.state,
  ])
  return `Execution times; speed-ups over ${baseline}\n${textTable(header, rows, ['dataset', 'contender', 'state'])}`
}

function timesOf({ totalsMs }: Measurement): readonly string[] {
  if (totalsMs.length === 0) return ['0', '-', '-', '-', '-', '-']
  const { count, median, mean, deviation, min, max } = statisticsOf(totalsMs)
  return [String(count), ...[median, mean, deviation, min, max].map((ms) => significant(ms))]
}

/** Share of the labels that are those of the reference; all of them only where all are. */
function agreementOf({ verification }: Measurement): string {
  const share = verification?.labelAgreement ?? null
  if (share === null) return '-'
  if (share === 1) return '100 %'
  return `${Math.min(99.9999, Number((100 * share).toFixed(4)))} %`
}

/** Each reason once, with the contenders that it keeps from a speed-up. */
function reasons(rows: readonly Measurement[]): string {
  const told = new Map<string, Set<string>>()
  for (const row of rows) {
    const reason = whyNotCounted(row)
    if (reason === null) continue
    const key = `${row.contender} ${row.state}: ${reason}`
    told.set(key, (told.get(key) ?? new Set()).add(`${row.dataset}, k = ${row.k}`))
  }
  return [...told].map(([reason, places]) => `${reason} (${[...places].join('; ')})\n`).join('')
}

/** A table of the report as plain text. */
function plainTable({ title, columns, rows, notes }: Table): string {
  const cells = rows.map((row) => row.map(({ text }) => text))
  const below = notes.map((note) => `${note}\n`).join('')
  const words = columns.filter(({ numeric }) => !numeric).map(headerText)
  return `${title}\n${textTable(columns.map(headerText), cells, words)}${below}`
}
