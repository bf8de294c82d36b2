import { configurationLine } from '@shared/benchmark/configuration-text'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { workNotes } from '@shared/benchmark/work-notes'
import { machineLine } from '@shared/benchmark/machine-text'
import { gapWords, speedupGapWords } from '@shared/benchmark/gap-words'
import { publicationTables } from '@shared/benchmark/publication-tables'
import { phasedRows } from '@shared/benchmark/phases-table'
import { reasonNotes } from '@shared/benchmark/reason-notes'
import { iterationsCell, markOf, notCompared, scaledMark } from '@shared/benchmark/scaled'
import { limitNotes } from '@shared/benchmark/cell-limit'
import { regimeNotes } from '@shared/benchmark/regime-notes'
import { significant } from '@shared/benchmark/significant'
import { undecidedBecause } from '@shared/benchmark/speedup-table'
import { speedupsOf, type Speedup } from '@shared/benchmark/speedups'
import { statisticsOf } from '@shared/benchmark/statistics'
import { noisyNotes } from '@shared/benchmark/table-notes'
import { headerText, type Table } from '@shared/benchmark/table'
import { minLevel, undecided } from '@shared/benchmark/verdict'
import { textTable } from './text-table'

/** A finished comparison for reading: times with speed-ups and agreement, then what the study published. */
export function benchText(document: BenchmarkDocument, files: readonly string[]): string {
  const { suite, machine, startedAt } = document
  const parts = [
    `${suite.name}\n${machineLine(machine, startedAt)}\nConfiguration: ${configurationLine(document)}\n`,
    timesTable(document),
    [
      ...noisyNotes(document),
      ...speedupNotes(speedupsOf(document, suite.baseline)),
      ...differenceNote(document),
      ...phasesNote(document),
      ...regimeNotes(document),
      ...workNotes(document, suite.baseline),
      ...limitNotes(document),
      ...reasonNotes(document),
    ]
      .map((note) => `${note}\n`)
      .join(''),
    ...publicationTables(document)
      .map(({ table }) => table)
      .filter(({ rows }) => rows.length > 0)
      .map(plainTable),
    files.map((file) => `Written: ${file}\n`).join(''),
  ]
  return parts.filter((part) => part !== '').join('\n')
}

/** One line for each row, the baseline's own among them. */
function timesTable(document: BenchmarkDocument): string {
  const { baseline } = document.suite
  const header = [
    ...['dataset', 'N', 'd', 'k', 'contender', 'regime', 'runs', 'median ms', 'mean', 'sd', 'min', 'max'],
    ...['iterations', 'ms an iteration', 'speed-up', 'labels alike', 'centroids off', 'state'],
  ]
  const rows = speedupsOf(document, baseline).map((found) => speedupLine(document, found))
  return `Execution times; speed-ups over ${baseline}\n${textTable(header, rows, ['dataset', 'contender', 'regime', 'state'])}`
}

function speedupLine(document: BenchmarkDocument, found: Speedup): readonly string[] {
  const { row } = found
  return [
    row.dataset,
    ...[row.n, row.d, row.k].map(String),
    row.contender,
    row.regime ?? '-',
    ...timesOf(document, row),
    row.iterations === 0 ? '-' : iterationsCell(row).text,
    known(row.perIterationMs),
    speedupText(document, found),
    agreementOf(row),
    known(row.verification?.centroidDifference ?? null),
    row.state,
  ]
}

/** `2.79 (0.905 to 5.12)`, with `~` before it where the repeats do not decide it; `1` for the baseline. */
function speedupText(document: BenchmarkDocument, found: Speedup): string {
  const { row, baseline, speedup, interval } = found
  if (speedup === null) return row.state === 'measured' ? speedupGapWords(document, baseline, row) : row.state
  if (row.contender === baseline) return '1'
  const range = interval === null ? '' : ` (${threeDigits(interval.low)} to ${threeDigits(interval.high)})`
  const mark = found.scaled === null ? '' : scaledMark
  return `${mark}${undecidedBecause(found) === null ? '' : '~'}${threeDigits(speedup)}${range}`
}

/** A ratio from a handful of repeats has no more. */
function threeDigits(ratio: number): string {
  const text = Number.isFinite(ratio) ? ratio.toPrecision(3) : significant(ratio)
  return text.includes('e') ? String(Number(text)) : text
}

function known(value: number | null): string {
  return value === null ? '-' : significant(value)
}

function differenceNote({ rows }: BenchmarkDocument): readonly string[] {
  if (rows.every(({ verification }) => (verification?.reference ?? null) === null)) return []
  return [
    'Centroids off: the largest difference of a coordinate from that of the reference, in ranges of its feature.',
  ]
}

/** How the speed-ups are to be read: the level of their intervals, and what is not decided. */
function speedupNotes(speedups: readonly Speedup[]): readonly string[] {
  const percents = speedups.flatMap(({ interval }) => (interval ? [Math.round(100 * interval.level)] : []))
  const levels = [...new Set(percents)].map((level) => `${level} %`).join(' or ')
  const ranges =
    levels === ''
      ? []
      : [`Speed-ups with their intervals at a level of ${levels}, by percentile bootstrap of the repeats.`]
  if (speedups.every((found) => undecidedBecause(found) === null)) return ranges
  const why = levels === '' ? 'one repeat gives no interval' : openBecause
  return [...ranges, `~: ${undecided()}, for ${why}.`]
}

const openBecause = `the interval contains 1 or its level is under ${100 * minLevel} % (five repeats reach 94 %)`

function phasesNote(document: BenchmarkDocument): readonly string[] {
  if (document.suite.timing === 'total' || phasedRows(document).length === 0) return []
  return ['The phases, in the files, are means of separate runs: their sum is not the median above.']
}

function timesOf(document: BenchmarkDocument, row: Measurement): readonly string[] {
  const { totalsMs } = row
  if (totalsMs.length === 0) return ['0', gapWords(document, row), '-', '-', '-', '-']
  const { count, median, mean, deviation, min, max } = statisticsOf(totalsMs)
  const times = [median, mean, deviation, min, max].map((ms) => (ms === null ? '-' : markOf(row) + known(ms)))
  return [String(count), ...times]
}

/** Share of the labels that are those of the reference; all of them only where all are. */
function agreementOf(row: Measurement): string {
  const share = row.verification?.labelAgreement ?? null
  if (share === null) return notCompared(row) ?? '-'
  if (share === 1) return '100 %'
  return `${Math.min(99.9999, Number((100 * share).toFixed(4)))} %`
}

/** A table of the report as plain text. */
function plainTable({ title, columns, rows, notes }: Table): string {
  const cells = rows.map((row) => row.map(({ text }) => text))
  const below = notes.map((note) => `${note}\n`).join('')
  const words = columns.filter(({ numeric }) => !numeric).map(headerText)
  return `${title}\n${textTable(columns.map(headerText), cells, words)}${below}`
}
