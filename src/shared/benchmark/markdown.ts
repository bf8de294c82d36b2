import { configurationLine } from './configuration-text'
import type { BenchmarkDocument } from './document'
import { machineLine } from './machine-text'
import { headerText, type Table, type TableCell } from './table'
import { tablesOf } from './tables'

/**
 * The tables of a comparison as Markdown (GitHub's tables), each with the machine and the configuration in its caption.
 * The best of a row is bold; a time that does not count is struck through and its reason told below.
 */
export function markdownOf(document: BenchmarkDocument, baseline: string = document.suite.baseline): string {
  const { suite, machine, startedAt } = document
  const caption = `${machineLine(machine, startedAt)}. Configuration: ${configurationLine(document)}.`
  const parts = tablesOf(document, baseline).map((table) => markdownTable(table, caption))
  return (
    [`## ${escaped(suite.name)}`, ...(suite.description ? [escaped(suite.description)] : []), ...parts].join(
      '\n\n',
    ) + '\n'
  )
}

/** One table with its title above and its notes and caption below. */
export function markdownTable(table: Table, caption: string): string {
  const header = line(table.columns.map((column) => escaped(headerText(column))))
  const rule = line(table.columns.map(({ numeric }) => (numeric ? '---:' : '---')))
  const rows = table.rows.map((cells) => line(cells.map(cellText)))
  const notes = [...table.notes, caption].map((note) => escaped(note))
  return [`### ${escaped(table.title)}`, [header, rule, ...rows].join('\n'), ...notes].join('\n\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function cellText({ text, range, state, best, value }: TableCell): string {
  const shown = escaped(text)
  const refused = typeof value === 'number' && state !== null && state !== 'measured'
  const marked = refused ? `~~${shown}~~ (${state})` : best ? `**${shown}**` : shown
  return range === null || refused ? marked : `${marked} (${escaped(range)})`
}

/** What Markdown or HTML inside it would read as a mark. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|~#]/g, (mark) => `\\${mark}`).replace(/\s*[\r\n]+\s*/g, ' ')
}
