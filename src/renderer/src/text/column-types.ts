/** Types of columns in the language of the window. */
import type { ColumnType } from '@shared/dataset'
import { t, type WindowKey } from '@/i18n'

const keys: Readonly<Record<ColumnType, WindowKey>> = {
  numeric: 'settings.typeNumeric',
  categorical: 'settings.typeCategorical',
  text: 'settings.typeText',
  constant: 'settings.typeConstant',
  identifier: 'settings.typeIdentifier',
  date: 'settings.typeDate',
}

export function columnTypeWord(type: ColumnType): string {
  return t(keys[type])
}
