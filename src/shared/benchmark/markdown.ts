import { captionOf } from './configuration-text'
import type { BenchmarkDocument } from './document'
import { headerText, stateWords, type Table, type TableCell } from './table'
import { tablesOf } from './tables'
import { localizedSentence } from '../locale/localized-sentence'
import { printable } from '../printable'

/**
 * The tables of a comparison as Markdown (GitHub's tables), each with the machine and the configuration in its caption.
 * The best of a row is bold; a time that does not count is struck through and its reason told below.
 */
export function markdownOf(document: BenchmarkDocument, baseline: string = document.suite.baseline): string {
  const caption = captionOf(document)
  const [name, description] = [document.suite.name, document.suite.description].map(localizedSentence)
  const parts = tablesOf(document, baseline).map((table) => markdownTable(table, caption))
  return [`## ${escaped(name)}`, ...(description ? [escaped(description)] : []), ...parts].join('\n\n') + '\n'
}

/** One table with its title above and its notes, and a caption where there is one, below. */
export function markdownTable(table: Table, caption: string | null): string {
  const columns = table.columns.map((column) => ({ name: headerText(column), numeric: column.numeric }))
  const rows = table.rows.map((cells) => cells.map(cellText))
  const notes = [...table.notes, ...(caption === null ? [] : [caption])].map((note) => escaped(note))
  const body = rows.length === 0 ? [] : [markdownRows(columns, rows)]
  return [`### ${escaped(table.title)}`, ...body, ...notes].join('\n\n')
}

/**
 * The bare table.
 * @param rows cells whose marks are escaped already (`escaped`)
 */
export function markdownRows(
  columns: readonly { readonly name: string; readonly numeric?: boolean }[],
  rows: readonly (readonly string[])[],
): string {
  const header = columns.map(({ name }) => escaped(name))
  const rule = columns.map(({ numeric }) => (numeric ? '---:' : '---'))
  return [header, rule, ...rows].map(line).join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function cellText({ text, range, state, note, best, value }: TableCell): string {
  const shown = escaped(text)
  const refused = state !== null && state !== 'measured' && note !== null
  if (refused && typeof value === 'number') return `~~${shown}~~ (${stateWords[state]})`
  if (refused && value !== null && text !== stateWords[state]) return `${shown} (${stateWords[state]})`
  const marked = best ? `**${shown}**` : shown
  return range === null ? marked : `${marked} (${escaped(range)})`
}

/** What Markdown or HTML inside it would read as a mark. */
export function escaped(text: string): string {
  return printable(text.replace(/\s*[\r\n]+\s*/g, ' ')).replace(/[\\`*_{}[\]<>|~#]/g, (mark) => `\\${mark}`)
}
