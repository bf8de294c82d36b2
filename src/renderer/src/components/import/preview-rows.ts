/** What the preview table shows of a column and of a row. */
import { columnTypes, type ColumnInfo, type ColumnType } from '@shared/dataset'
import type { Choice } from '@/components/WordSelect.vue'
import { plural } from '@/text/numbers'
import { detectedChoice } from './dialect-fields'

/** The types a column may be given; the detected one first. */
export function typeChoices(detected: ColumnType): readonly Choice<string>[] {
  return [
    { value: detectedChoice, word: `Detected: ${detected}` },
    ...columnTypes.map((type) => ({ value: type, word: type })),
  ]
}

export function typeOf(choice: string): ColumnType | null {
  return columnTypes.find((type) => type === choice) ?? null
}

/** `2 missing, 1 of them not a number`; empty when every cell counts. */
export function gapsOf({ missing, notNumeric }: ColumnInfo): string {
  if (missing === 0) return ''
  const among = notNumeric > 0 ? `, ${notNumeric} not a number` : ''
  return `${plural(missing, 'cell')} missing${among}`
}

/** Why a row will be left out, or null when it will be kept: rows of another width are not guessed at. */
export function leftOutBecause(cells: readonly string[], columns: number): string | null {
  const blankEnd = cells.length === columns + 1 && cells.at(-1)?.trim() === ''
  if (cells.length === columns || blankEnd) return null
  return `${plural(cells.length, 'cell')} where ${columns} belong: this row will be left out.`
}
