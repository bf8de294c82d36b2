/** Cells that a reader of comma separated text would misread without quotes. */
const needsQuotes = /[",\r\n]|^\s|\s$/

/** A cell as RFC 4180 wants it: quoted only where it must be, quotes doubled. */
export function csvCell(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What a spreadsheet would carry out as a formula, or, after a tab or a line break, might. */
const beginsFormula = /^[=+\-@\t\r\n]/

/** A text (no number, no source cell) as a cell has it before it is quoted. */
export type TextCell = (text: string) => string

const asItIs: TextCell = (text) => text
const neutral: TextCell = (text) => (beginsFormula.test(text) ? `'${text}` : text)

export interface TextOptions {
  /** Texts that a spreadsheet would take for formulas get an apostrophe before them. */
  readonly neutralise?: boolean
}

export function textCell({ neutralise }: TextOptions): TextCell {
  return neutralise === true ? neutral : asItIs
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
export function csvLine(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === '') return '""\n'
  let line = ''
  for (let i = 0; i < cells.length; i++) line += (i === 0 ? '' : ',') + csvCell(cells[i])
  return `${line}\n`
}

/** `wanted`, or `wanted_1`, `wanted_2`, ... when the name is taken. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  let suffix = 1
  while (taken.includes(`${wanted}_${suffix}`)) suffix++
  return `${wanted}_${suffix}`
}
