import type { ExportDialect, TextChoice } from '@shared/text-choice'

/** What stands between the cells. */
export type Separator = ',' | ';' | '\t'

/** Cells that a reader of so separated text would misread without quotes. */
const needsQuotes: Readonly<Record<Separator, RegExp>> = {
  ',': /[",\r\n]|^\s|\s$/,
  ';': /[";\r\n]|^\s|\s$/,
  '\t': /["\t\r\n]|^\s|\s$/,
}

/** A cell as RFC 4180 wants it: quoted only where it must be, quotes doubled. */
export function csvCell(text: string, separator: Separator = ','): string {
  return needsQuotes[separator].test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What a spreadsheet would carry out as a formula, or, after a tab or a line break, might. */
const beginsFormula = /^[=+\-@\t\r\n]/

const asItIs = (text: string): string => text
const neutral = (text: string): string => (beginsFormula.test(text) ? `'${text}` : text)

/** How a table is written. */
export interface CsvForm {
  readonly separator: Separator
  /** Decimal mark of our numbers. */
  readonly mark: '.' | ','
  /** A text of ours (no number, no source cell) as a cell has it before it is quoted. */
  text(this: void, text: string): string
  /** A number of ours as a cell; empty for none. */
  number(this: void, value: number | null): string
  /** See TextChoice. */
  readonly clusterNames?: readonly (string | null)[]
  /** See `csvLine`. */
  line(this: void, cells: readonly string[]): string
}

const separators: Readonly<Record<ExportDialect, Separator>> = { comma: ',', semicolon: ';', tab: '\t' }

export function csvForm({ neutralise, dialect = 'comma', clusterNames }: TextChoice): CsvForm {
  const separator = separators[dialect]
  const mark = dialect === 'semicolon' ? ',' : '.'
  return {
    separator,
    mark,
    ...(clusterNames && { clusterNames }),
    text: neutralise === true ? neutral : asItIs,
    number: mark === ',' ? (value) => csvNumber(value).replace('.', ',') : csvNumber,
    line: (cells) => csvLine(cells, separator),
  }
}

/**
 * The shortest text that reads back to the same float64, with a decimal point; -0 is written as 0, and what is
 * no finite number (nothing of ours should be) as an empty cell.
 */
export function csvNumber(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return ''
  return value === 0 ? '0' : String(value)
}

/** One line with its end. A line of a single empty cell is quoted, since a blank line would be no row at all. */
export function csvLine(cells: readonly string[], separator: Separator = ','): string {
  if (cells.length === 1 && cells[0] === '') return '""\n'
  let line = ''
  for (let i = 0; i < cells.length; i++) line += (i === 0 ? '' : separator) + csvCell(cells[i], separator)
  return `${line}\n`
}

/** `wanted`, or `wanted_1`, `wanted_2`, ... when the name is taken. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  let suffix = 1
  while (taken.includes(`${wanted}_${suffix}`)) suffix++
  return `${wanted}_${suffix}`
}
