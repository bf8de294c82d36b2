/** The properties of a file that a person can set, each with its choices in words. */
import {
  delimiters,
  encodings,
  maxTitleRows,
  type Dialect,
  type GivenType,
  type ImportOverrides,
  type ImportReceipt,
} from '@shared/dataset'
import { t, type WindowKey } from '@/i18n'
import type { Choice } from '@/components/WordSelect.vue'
import { delimiterWords, encodingWords, formatWords } from '@/text/words'

export type DialectKey = keyof Dialect

/** The choice that leaves a property to detection. */
export const detectedChoice = 'detected'

interface DialectField {
  readonly key: DialectKey
  readonly label: string
  readonly values: readonly Dialect[DialectKey][]
  word(value: Dialect[DialectKey]): string
  /** Takes part in where one cell ends and the next begins. */
  readonly cuts: boolean
}

function field<K extends DialectKey>(
  key: K,
  label: WindowKey,
  values: readonly Dialect[K][],
  word: (value: Dialect[K]) => string,
  cuts = false,
): DialectField {
  return {
    key,
    get label() {
      return t(label)
    },
    values,
    word: (value) => word(value as Dialect[K]),
    cuts,
  }
}

const quoteWords: Readonly<Record<Dialect['quote'], string>> = {
  get '"'() {
    return t('imports.double')
  },
  get "'"() {
    return t('imports.single')
  },
  get ''() {
    return t('imports.none')
  },
}

export const dialectFields: readonly DialectField[] = [
  field('format', 'imports.format', ['delimited', 'headed'], (value) => formatWords[value], true),
  field('encoding', 'imports.encoding', encodings, (value) => encodingWords[value]),
  field('delimiter', 'imports.delimiter', delimiters, (value) => delimiterWords[value], true),
  field('quote', 'imports.quote', ['"', "'", ''], (value) => quoteWords[value], true),
  field('header', 'imports.headerRow', [true, false], (value) =>
    value ? t('imports.yes') : t('imports.no'),
  ),
  field('decimal', 'imports.decimalMark', ['.', ','], (value) =>
    value === '.' ? t('imports.point') : t('imports.comma'),
  ),
]

/** The headed format fixes how its cells are cut. */
const fixedByHeaded: readonly DialectKey[] = ['delimiter', 'quote', 'header']

export const isFixed = (key: DialectKey, format: Dialect['format']): boolean =>
  format === 'headed' && fixedByHeaded.includes(key)

/** `Detected: comma` first, then every value a person may set instead. */
export function choicesOf(of: DialectField, detected: Dialect): readonly Choice<string>[] {
  return [
    { value: detectedChoice, word: t('imports.detected', [of.word(detected[of.key])]) },
    ...of.values.map((value) => ({ value: String(value), word: of.word(value) })),
  ]
}

export function chosenOf(key: DialectKey, overrides: ImportOverrides): string {
  const value = overrides[key]
  return value === undefined ? detectedChoice : String(value)
}

/**
 * Sets a property, or leaves it to detection. Where cells are cut anew, types that were given to columns by
 * their position no longer belong to what stands there.
 */
export function withDialect(of: DialectField, choice: string, overrides: ImportOverrides): ImportOverrides {
  const kept = Object.entries(overrides).filter(
    ([key]) => key !== of.key && !(of.cuts && key === 'columnTypes'),
  )
  const value = of.values.find((candidate) => String(candidate) === choice)
  return Object.fromEntries(value === undefined ? kept : [...kept, [of.key, value]])
}

/** How many rows above the header, or the data, are a title. */
export function titleChoices(found: ImportReceipt['titleRows']): readonly Choice<string>[] {
  const counts = Array.from({ length: maxTitleRows + 1 }, (_, count) => String(count))
  const detected =
    found === undefined || found.overridden
      ? t('imports.detected2')
      : t('imports.detected', [titleWord(found.count)])
  return [
    { value: detectedChoice, word: detected },
    ...counts.map((count) => ({ value: count, word: titleWord(Number(count)) })),
  ]
}

const titleWord = (count: number): string => (count === 0 ? t('imports.none') : String(count))

/** Sets the number, or leaves it to detection. */
export function withTitleRows(choice: string, overrides: ImportOverrides): ImportOverrides {
  const { titleRows: _before, ...rest } = overrides
  return choice === detectedChoice ? rest : { ...rest, titleRows: Number(choice) }
}

/** Gives a column a type, or leaves it to detection. */
export function withColumnType(
  column: number,
  type: GivenType | null,
  overrides: ImportOverrides,
): ImportOverrides {
  const { columnTypes = {}, ...rest } = overrides
  const others = Object.entries(columnTypes).filter(([index]) => Number(index) !== column)
  const next = type === null ? others : [...others, [String(column), type]]
  return next.length > 0 ? { ...rest, columnTypes: Object.fromEntries(next) } : rest
}
