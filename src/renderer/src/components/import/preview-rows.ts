/** What the preview table shows of a column and of a row. */
import {
  givenTypes,
  type ColumnInfo,
  type ColumnType,
  type GivenType,
  type ImportPreview,
} from '@shared/dataset'
import type { Choice } from '@/components/WordSelect.vue'
import { formatCount, plural } from '@/text/numbers'
import { detectedChoice } from './dialect-fields'

/** Pixels, as the style sheet has them. */
export const columnWidth = 188
export const rowHeight = 24

const givenWords: Partial<Record<GivenType, string>> = {
  'date-dmy': 'date, day first',
  'date-mdy': 'date, month first',
}

/** The types a column may be given; the detected one first. */
export function typeChoices(detected: ColumnType): readonly Choice<string>[] {
  return [
    { value: detectedChoice, word: `Detected: ${detected}` },
    ...givenTypes.map((type) => ({ value: type, word: givenWords[type] ?? type })),
  ]
}

export function typeOf(choice: string): GivenType | null {
  return givenTypes.find((type) => type === choice) ?? null
}

/** `5 missing, 2 not numbers`; empty when every cell counts. */
export function gapsOf({ missing, notNumeric }: ColumnInfo): string {
  const words = [
    missing > notNumeric ? `${formatCount(missing - notNumeric)} missing` : '',
    notNumeric > 0 ? `${formatCount(notNumeric)} not numbers` : '',
  ]
  return words.filter(Boolean).join(', ')
}

/** What the settings make of the file, and whether it will be refused like this. */
export function effectOf({ columns, receipt }: ImportPreview): { sentence: string; refused: boolean } {
  const { records, tooLong, tooShort } = receipt
  const leftOut = tooLong + tooShort
  const refusal = refusalOf(columns, records, leftOut)
  if (refusal !== '') return { sentence: refusal, refused: true }
  const features = columns.filter(({ proposed }) => proposed).length
  const verb = leftOut === 1 ? 'is' : 'are'
  const rows =
    leftOut === 0 ? '' : ` Of the first ${plural(records, 'row')} ${formatCount(leftOut)} ${verb} left out.`
  return {
    sentence: `${plural(columns.length, 'column')}, ${formatCount(features)} proposed as features.${rows}`,
    refused: false,
  }
}

function refusalOf(columns: readonly ColumnInfo[], records: number, leftOut: number): string {
  if (records === 0) return 'No rows of data with these settings: change one.'
  if (leftOut * 2 > records)
    return `With these settings, ${formatCount(leftOut)} of the first ${plural(records, 'row')} have a wrong number of cells: change the delimiter or the quote.`
  if (columns.every(({ min }) => min === null)) return 'No numeric columns with these settings: change one.'
  return ''
}

/** Why a row will be left out, or null when it will be kept: rows of another width are not guessed at. */
export function leftOutBecause(cells: readonly string[], columns: number): string | null {
  const blankEnd = cells.length === columns + 1 && cells.at(-1)?.trim() === ''
  if (cells.length === columns || blankEnd) return null
  return `${plural(cells.length, 'cell')} where ${columns} belong: this row will be left out.`
}
