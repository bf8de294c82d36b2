/** What the preview table shows of a column and of a row. */
import {
  givenTypes,
  type ColumnInfo,
  type ColumnType,
  type GivenType,
  type ImportPreview,
} from '@shared/dataset'
import { t } from '@/i18n'
import { columnTypeWord } from '@/text/column-types'
import type { Choice } from '@/components/WordSelect.vue'
import { formatCount, plural } from '@/text/numbers'
import { detectedChoice } from './dialect-fields'

/** Pixels, as the style sheet has them. */
export const columnWidth = 188
export const rowHeight = 24

function givenWord(type: GivenType): string {
  if (type === 'date-dmy') return t('imports.dateDayFirst')
  if (type === 'date-mdy') return t('imports.dateMonthFirst')
  return columnTypeWord(type)
}

/** The types a column may be given; the detected one first. */
export function typeChoices(detected: ColumnType): readonly Choice<string>[] {
  return [
    { value: detectedChoice, word: t('imports.detected', [columnTypeWord(detected)]) },
    ...givenTypes.map((type) => ({ value: type, word: givenWord(type) })),
  ]
}

export function typeOf(choice: string): GivenType | null {
  return givenTypes.find((type) => type === choice) ?? null
}

/** `5 missing, 2 not numbers`; empty when every cell counts. */
export function gapsOf({ missing, notNumeric }: ColumnInfo): string {
  const words = [
    missing > notNumeric ? t('imports.missing', [formatCount(missing - notNumeric)]) : '',
    notNumeric > 0 ? t('imports.notNumbers', [formatCount(notNumeric)]) : '',
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
  const rows =
    leftOut === 0
      ? ''
      : t('imports.ofTheFirstLeftOut', [plural(records, 'row'), formatCount(leftOut)], leftOut)
  return {
    sentence: t('imports.proposedAsFeatures', [
      plural(columns.length, 'column'),
      formatCount(features),
      rows,
    ]),
    refused: false,
  }
}

function refusalOf(columns: readonly ColumnInfo[], records: number, leftOut: number): string {
  if (records === 0) return t('imports.noRowsOfDataWithThese')
  if (leftOut * 2 > records)
    return t('imports.withTheseSettingsOfTheFirst', [formatCount(leftOut), plural(records, 'row')])
  if (columns.every(({ min }) => min === null)) return t('imports.noNumericColumnsWithTheseSettings')
  return ''
}

/** Why a row will be left out, or null when it will be kept: rows of another width are not guessed at. */
export function leftOutBecause(cells: readonly string[], columns: number): string | null {
  const blankEnd = cells.length === columns + 1 && cells.at(-1)?.trim() === ''
  if (cells.length === columns || blankEnd) return null
  return t('imports.whereBelongThisRowWillBe', [plural(cells.length, 'cell'), columns])
}
