import type { CellState, Measurement } from './document'
import { countText, significant } from './significant'
import type heads from '../locales/en/table-heads'
import { sharedMessages, t } from '../locale/translate'

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
  /** What `text` has before and behind the number, for who prints the number alone; null for nothing. */
  readonly around: { readonly before: string; readonly after: string } | null
}

/** A table as plain data, for the window, Markdown, the report and the workbook alike. */
export interface Table {
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
  /** Sentences to be printed below. */
  readonly notes: readonly string[]
}

const plain = { state: null, note: null, range: null, best: false, around: null } as const

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

/** A number with words around it that must never be left out, such as `≈ 12.3 from 10 of 50 iterations`. */
export function markedCell(cell: TableCell, before: string, after = ''): TableCell {
  if (before === '' && after === '') return cell
  return { ...cell, text: `${before}${cell.text}${after}`, around: { before, after } }
}

/** What stands in the place of a number. @param words few: why there is none @param note the same as a sentence */
export function gapCell(words: string, row: Measurement | undefined, note: string | null): TableCell {
  return { ...plain, text: words, value: null, state: row?.state ?? null, note }
}

export const stateWords: Readonly<Record<CellState, string>> = {
  get measured() {
    return t('benchmark-tables.measured')
  },
  get approximate() {
    return t('benchmark-tables.approximate2')
  },
  get disagrees() {
    return t('benchmark-tables.disagrees')
  },
  get skipped() {
    return t('benchmark-tables.skipped')
  },
  get failed() {
    return t('benchmark-tables.failed')
  },
}

/** A word of `table-heads` in the language of the table; a name, such as `cpu/fused` or N, as it is. */
export function headWord(word: string): string {
  const key = `table-heads.${word}`
  return key in sharedMessages('en') ? t(key as `table-heads.${keyof typeof heads}`) : word
}

export function textColumn(head: string): TableColumn {
  return { header: headWord(head), unit: null, numeric: false }
}

export function countColumn(head: string): TableColumn {
  return { header: headWord(head), unit: null, numeric: true }
}

export function unitColumn(head: string, unit: string): TableColumn {
  return { header: headWord(head), unit: headWord(unit), numeric: true }
}

/** Header with its unit, e.g. `median (ms)`. */
export function headerText({ header, unit }: TableColumn): string {
  return unit === null ? header : `${header} (${unit})`
}
