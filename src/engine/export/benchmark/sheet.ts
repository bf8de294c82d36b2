import type { Cell, Row, SheetData, SheetOptions } from 'write-excel-file/node'
import { printableLines } from '@shared/printable'
import { headerText, type Table, type TableCell } from '@shared/benchmark/table'

/** Excel's limit for the characters of a cell. */
const longestText = 32_767
const widestColumn = 60
const disagreeing = '#a8231b'
const headerGround = '#eef0f2'
/** Three decimals, and powers of ten where they would hide the number; whole numbers as they are. */
export const decimals = '[=0]0;[<0.001]0.00E+00;0.000'

type Value = string | number | null

/** A cell that a workbook reads as what it is: a text is never a formula, whatever it begins with. */
export function sheetCell(value: Value, red = false, around: TableCell['around'] = null): Cell {
  if (value === null || value === '') return null
  const colour = red ? { textColor: disagreeing } : {}
  if (typeof value === 'string') return { value: sheetText(value), type: String, ...colour }
  if (!Number.isFinite(value)) return { value: String(value), type: String, ...colour }
  const format = around !== null ? marked(value, around) : Number.isInteger(value) ? {} : { format: decimals }
  return { value, type: Number, ...format, ...colour }
}

/** A number that is calculated with as one, and never shown without the words around it. */
function marked(value: number, { before, after }: NonNullable<TableCell['around']>) {
  const quoted = (text: string) => (text === '' ? '' : `"${text.replaceAll('"', '')}"`)
  const part = (digits: string) => `${quoted(before)}${digits}${quoted(after)}`
  if (Number.isInteger(value)) return { format: part('0') }
  return { format: `[<0.001]${part('0.00E+00')};${part('0.000')}` }
}

/** Controls are shown; what else XML cannot hold goes: halves of surrogate pairs. */
export function sheetText(text: string): string {
  return printableLines(text)
    .slice(0, longestText)
    .replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '')
}

export function headerRow(headers: readonly string[]): Row {
  return headers.map((header) => ({
    ...{ value: sheetText(header), type: String, fontWeight: 'bold', backgroundColor: headerGround },
    ...{ bottomBorderStyle: 'thin', wrap: true, alignVertical: 'bottom' },
  }))
}

/** The rows of a table with its header; numbers in full precision. */
export function tableRows({ columns, rows }: Table): SheetData {
  return [headerRow(columns.map(headerText)), ...rows.map((cells) => cells.map(tableCell))]
}

function tableCell({ value, text, state, around }: TableCell): Cell {
  const red = state !== null && state !== 'measured'
  return sheetCell(value ?? (text === '–' ? null : text), red, around)
}

/** Columns as wide as their longest text, within reason. */
export function columnWidths(data: SheetData): NonNullable<SheetOptions<Buffer>['columns']> {
  const count = data.reduce((most, row) => Math.max(most, row.length), 0)
  return Array.from({ length: count }, (_, column) => {
    const longest = data.reduce((most, row) => Math.max(most, shownLength(row[column])), 0)
    return { width: Math.min(widestColumn, longest + 2) }
  })
}

function shownLength(cell: Cell): number {
  const value = cell !== null && typeof cell === 'object' && 'value' in cell ? cell.value : null
  if (typeof value === 'number') {
    const digits = Number.isInteger(value) ? String(value) : value.toFixed(3)
    return digits.length + wordsAround(cell)
  }
  return value === null || value === undefined ? 0 : String(value).length
}

/** Characters that the format of a cell puts around its number. */
function wordsAround(cell: Cell): number {
  const format = cell !== null && typeof cell === 'object' && 'format' in cell ? (cell.format ?? '') : ''
  const shown = format.slice(format.lastIndexOf(';') + 1)
  return [...shown.matchAll(/"([^"]*)"/g)].reduce((sum, [, words]) => sum + words.length, 0)
}
