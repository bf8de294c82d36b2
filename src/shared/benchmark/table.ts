import type { CellState, Measurement } from './document'
import { countText, significant } from './significant'

export interface TableColumn {
  readonly header: string
  /** E.g. `ms`; null for a text or a plain number. */
  readonly unit: string | null
  readonly numeric: boolean
}

export interface TableCell {
  /** As it is printed. */
  readonly text: string
  /** What a workbook holds; null where there is nothing. */
  readonly value: number | string | null
  /** Of the row that the cell stands for; null where it stands for none, and for one that is not finished. */
  readonly state: CellState | null
  /** One sentence, e.g. why there is no speed-up. */
  readonly note: string | null
  /** Interval beside the number, e.g. `11.9 to 12.8`. */
  readonly range: string | null
  /** The best of its row among those that count. */
  readonly best: boolean
}

/** A table as plain data, for the window, Markdown, the report and the workbook alike. */
export interface Table {
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
  /** Sentences to be printed below. */
  readonly notes: readonly string[]
}

const plain = { state: null, note: null, range: null, best: false } as const

export function textCell(text: string, more: Partial<TableCell> = {}): TableCell {
  return { ...plain, text, value: text, ...more }
}

/** A count, in full. */
export function countCell(value: number, more: Partial<TableCell> = {}): TableCell {
  return { ...plain, text: countText(value), value, ...more }
}

/** Four significant digits; null is a dash. */
export function numberCell(value: number | null, more: Partial<TableCell> = {}): TableCell {
  return { ...plain, text: significant(value), value, ...more }
}

/** What stands in the place of a time: nothing yet, or the word for what happened. */
export function stateCell(row: Measurement | undefined, note: string | null): TableCell {
  if (row === undefined) return { ...plain, text: '', value: null, note: null }
  const text = row.state === 'measured' ? '–' : stateWords[row.state]
  return { ...plain, text, value: null, state: row.state, note }
}

export const stateWords: Readonly<Record<CellState, string>> = {
  measured: 'measured',
  disagrees: 'disagrees',
  skipped: 'skipped',
  failed: 'failed',
}

export const textColumn = (header: string): TableColumn => ({ header, unit: null, numeric: false })
export const countColumn = (header: string): TableColumn => ({ header, unit: null, numeric: true })
export const unitColumn = (header: string, unit: string): TableColumn => ({ header, unit, numeric: true })

/** Header with its unit, e.g. `median (ms)`. */
export function headerText({ header, unit }: TableColumn): string {
  return unit === null ? header : `${header} (${unit})`
}
