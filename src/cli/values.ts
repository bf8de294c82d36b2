import { delimiterNames, noQuote, type NamedColumnType } from '@shared/command-line'
import {
  columnScalings,
  delimiters,
  encodings,
  givenTypes,
  scalings,
  type Delimiter,
  type Dialect,
  type Encoding,
  type NamedScaling,
} from '@shared/dataset'
import { invalidArgument } from '@shared/errors'

const wholePattern = /^[+-]?\d+$/
const numberPattern = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** A whole number within [least, 2^53 - 1]. */
export function wholeNumber(text: string, name: string, least: number): number {
  const value = wholePattern.test(text) ? Number(text) : NaN
  if (Number.isSafeInteger(value) && value >= least) return value
  throw invalidArgument(`a whole number of at least ${least}`, name, text)
}

/** A finite number that is not negative, with a decimal point. */
export function positiveNumber(text: string, name: string): number {
  const value = numberPattern.test(text) ? Number(text) : NaN
  if (Number.isFinite(value) && value >= 0) return value
  throw invalidArgument('a number of at least 0', name, text)
}

/** Distinct whole numbers with commas between them, ascending. */
export function wholeNumbers(text: string, name: string, least: number): readonly number[] {
  const values = text.split(',').map((item) => wholeNumber(item.trim(), name, least))
  return [...new Set(values)].sort((a, b) => a - b)
}

/** One of the words of a closed list. */
export function oneOf<T extends string>(text: string, name: string, words: readonly T[]): T {
  const found = words.find((word) => word === text)
  if (found !== undefined) return found
  throw invalidArgument(`one of ${words.join(', ')}`, name, text)
}

/** Words with commas between them, each once; `all` is all of them and `none` none. */
export function someOf<T extends string>(text: string, name: string, words: readonly T[]): readonly T[] {
  if (text === 'all') return words
  if (text === 'none') return []
  return [...new Set(text.split(',').map((item) => oneOf(item.trim(), name, words)))]
}

/** Text that is not empty. */
export function someText(text: string, name: string, what: string): string {
  if (text !== '') return text
  throw invalidArgument(what, name, text)
}

/** Names with commas between them; a name that holds a comma stands in double quotes, as in a CSV. */
export function nameList(text: string, name: string): readonly string[] {
  const item = /\s*("(?:[^"]|"")*"|[^",]*)\s*(,|$)/y
  const names: string[] = []
  for (let end = ','; end === ',';) {
    const match = item.exec(text)
    const found = match === null ? '' : unquote(match[1].trim())
    if (match === null || found === '') throw invalidArgument('column names like a,b,c', name, text)
    names.push(found)
    end = match[2]
  }
  return names
}

/** Types of columns by name; see `wordsByColumn`. */
export function columnTypeList(text: string, name: string): readonly NamedColumnType[] {
  return wordsByColumn(text, name, 'type', givenTypes).map(([column, type]) => ({ name: column, type }))
}

/** Scalings of columns by name; see `wordsByColumn`. @throws LabError that says why a row's scaling is of no column */
export function columnScalingList(text: string, name: string): readonly NamedScaling[] {
  const found = wordsByColumn(text, name, 'scaling', scalings)
  return found.map(([column, scaling]) => {
    if (scaling !== 'unit-length') return { column, scaling }
    const expected = `one of ${columnScalings.join(' ')} (unit-length is of whole rows: --scaling unit-length)`
    throw invalidArgument(expected, `the scaling of '${column}' in ${name}`, scaling)
  })
}

/**
 * `NAME=WORD` with commas between them, names quoted as in `nameList`; the word follows the last `=`.
 * @param what the word is to the column, as in "the type of 'a'"
 */
function wordsByColumn<T extends string>(
  text: string,
  name: string,
  what: string,
  words: readonly T[],
): readonly (readonly [column: string, word: T])[] {
  const item = /\s*("(?:[^"]|"")*"|[^",]*)\s*=\s*([^",=]*?)\s*(,|$)/y
  const found: (readonly [string, T])[] = []
  for (let end = ','; end === ',';) {
    const match = item.exec(text)
    const column = match === null ? '' : unquote(match[1].trim())
    if (match === null || column === '') {
      const form = `NAME=${what.toUpperCase()}`
      throw invalidArgument(`${form}[,${form}...]`, name, text)
    }
    found.push([column, oneOf(match[2], `the ${what} of '${column}' in ${name}`, words)])
    end = match[3]
  }
  if (new Set(found.map(([column]) => column)).size === found.length) return found
  throw invalidArgument('every column once', name, text)
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
}

/** The quote itself, or `none`. */
export function quote(text: string, name: string): Dialect['quote'] {
  if (text === noQuote) return ''
  if (text === '"' || text === "'") return text
  throw invalidArgument(`one of " ' ${noQuote}`, name, text)
}

/** The character itself, or its name where it is awkward to type. */
export function delimiter(text: string, name: string): Delimiter {
  const meant = text === '\\t' ? '\t' : text
  const found = delimiters.find((one) => one === meant || delimiterNames[one] === meant)
  if (found !== undefined) return found
  throw invalidArgument(`one of ${delimiters.map((one) => delimiterNames[one]).join(' ')}`, name, text)
}

const encodingAliases: Readonly<Record<string, Encoding>> = {
  utf8: 'utf-8',
  'latin-1': 'latin1',
  'iso-8859-1': 'latin1',
}

export function encoding(text: string, name: string): Encoding {
  const lower = text.toLowerCase()
  return encodingAliases[lower] ?? oneOf(lower, name, encodings)
}
