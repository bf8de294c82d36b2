import {
  delimiters,
  type Delimiter,
  type Dialect,
  type Encoding,
  type Evidence,
  type ImportOverrides,
} from '@shared/dataset'
import { classify, isMissingMark } from './number'
import { tableReader } from './reader'
import { detectNewline, UnclosedQuote } from './table-reader'

export interface DialectFound {
  readonly dialect: Dialect
  readonly evidence: Readonly<Omit<Record<keyof Dialect, Evidence>, 'encoding'>>
}

type Records = readonly (readonly string[])[]

const sampledRecords = 200

/** How the text of the first block is to be cut into cells; what was set by hand is not guessed. */
export function detectDialect(
  sample: string,
  whole: boolean,
  encoding: Encoding,
  set: ImportOverrides,
): DialectFound {
  const headed = set.format === undefined ? looksHeaded(sample) : set.format === 'headed'
  const format = headed ? 'headed' : 'delimited'
  const quote = set.quote ?? detectQuote(sample)
  const base: Dialect = {
    format,
    encoding,
    delimiter: ' ',
    quote: headed ? '' : quote,
    header: false,
    decimal: '.',
  }
  const formatSays = evidence(
    set.format,
    headed ? headedSays : 'The first lines are not the counts of the headed format.',
  )
  if (headed)
    return { dialect: { ...base, decimal: set.decimal ?? '.' }, evidence: headedEvidence(formatSays, set) }

  const delimiter = set.delimiter === undefined ? detectDelimiter(sample, whole, base) : given(set.delimiter)
  const cut = { ...base, delimiter: delimiter.value }
  const records = sampleRecords(sample, whole, cut)
  const decimal = set.decimal === undefined ? detectDecimal(records, cut.delimiter) : given(set.decimal)
  const header = set.header === undefined ? detectHeader(records, decimal.value) : given(set.header)
  return {
    dialect: { ...cut, decimal: decimal.value, header: header.value },
    evidence: {
      format: formatSays,
      delimiter: delimiter.evidence,
      quote: evidence(
        set.quote,
        quote === '"'
          ? 'Double quotes are the rule for such files.'
          : 'Cells begin and end with single quotes.',
      ),
      header: header.evidence,
      decimal: decimal.evidence,
    },
  }
}

interface Found<T> {
  readonly value: T
  readonly evidence: Evidence
}

function evidence(set: unknown, because: string, doubtful = false): Evidence {
  if (set !== undefined) return { because: 'Set by hand.', overridden: true, doubtful: false }
  return { because, overridden: false, doubtful }
}

function given<T>(value: T): Found<T> {
  return { value, evidence: evidence(value, '') }
}

function found<T>(value: T, because: string, doubtful = false): Found<T> {
  return { value, evidence: evidence(undefined, because, doubtful) }
}

const headedSays =
  'Lines 1 to 3 are whole numbers alone and the next line has as many coordinates as line 2 says.'

/** N, number of coordinates and k, a line each, then the points (spec section 2). */
export function looksHeaded(sample: string): boolean {
  const lines = sample.split(/\r\n|\n|\r/, 4).map((line) => line.trim())
  if (lines.length < 4 || !lines.slice(0, 3).every((line) => /^\d+$/.test(line))) return false
  const cells = lines[3].split(/\s+/)
  // Four lines of one whole number each are a column of numbers, unless they say so themselves.
  if (cells.length === 1 && sample.trim().split(/\s+/).length !== Number(lines[0]) + 3) return false
  return cells.length === Number(lines[1]) && cells.every((cell) => classify(cell, '.') !== 'other')
}

function headedEvidence(format: Evidence, set: ImportOverrides): DialectFound['evidence'] {
  const says = 'Part of the headed format.'
  return {
    format,
    delimiter: evidence(undefined, says),
    quote: evidence(undefined, says),
    header: evidence(undefined, says),
    decimal: evidence(set.decimal, says),
  }
}

function detectQuote(sample: string): '"' | "'" {
  const single = (sample.match(/(^|[,;\t|\r\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g) ?? []).length
  return single > 3 && !sample.includes('"') ? "'" : '"'
}

/** Records of the sample under a dialect; the last, perhaps cut off, only when the file ends with it. */
export function sampleRecords(sample: string, whole: boolean, dialect: Dialect): Records {
  const reader = tableReader(dialect, detectNewline(sample))
  const read = (last: boolean): Records => {
    try {
      return reader.push(sample, last)
    } catch (thrown) {
      if (thrown instanceof UnclosedQuote) return []
      throw thrown
    }
  }
  const records = read(whole)
  return records.filter((cells) => cells.length > 1 || cells[0].trim() !== '').slice(0, sampledRecords)
}

interface Candidate {
  readonly delimiter: Delimiter
  readonly width: number
  /** Share of records that have the commonest width. */
  readonly share: number
}

function detectDelimiter(sample: string, whole: boolean, base: Dialect): Found<Delimiter> {
  const all = delimiters.map((delimiter) => candidate(sample, whole, { ...base, delimiter }))
  const ranked = all.filter(({ width }) => width > 1).sort((a, b) => score(b) - score(a))
  const best = ranked.at(0)
  if (!best) return found(',', 'No delimiter occurs: the file has one column.')
  const next = ranked.at(1)
  const close = next !== undefined && score(next) > 0.85 * score(best)
  const rival = next ? `; next best ${shown(next.delimiter)} has ${next.width}` : ''
  const because = `${percent(best.share)} of the sampled rows have ${best.width} cells with ${shown(best.delimiter)}${rival}.`
  return found(best.delimiter, because, best.share < 0.9 || close)
}

/** Regularity first; a blank inside text cells must not beat a real delimiter. */
function score({ delimiter, share, width }: Candidate): number {
  const weight = delimiter === ' ' ? 0.6 : delimiter === '|' ? 0.95 : 1
  return share * share * weight * (1 + 0.02 * Math.min(width, 10))
}

function candidate(sample: string, whole: boolean, dialect: Dialect): Candidate {
  const widths = new Map<number, number>()
  const records = sampleRecords(sample, whole, dialect)
  for (const { length } of records) widths.set(length, (widths.get(length) ?? 0) + 1)
  const [width, count] = [...widths].sort((a, b) => b[1] - a[1] || b[0] - a[0]).at(0) ?? [0, 0]
  return { delimiter: dialect.delimiter, width, share: records.length === 0 ? 0 : count / records.length }
}

function detectDecimal(records: Records, delimiter: Delimiter): Found<'.' | ','> {
  if (delimiter === ',') return found('.', 'The comma separates the cells.')
  const cells = records.slice(1).flat()
  const count = (decimal: '.' | ',', mark: string) =>
    cells.filter((cell) => cell.includes(mark) && classify(cell, decimal) === 'number').length
  const commas = count(',', ',')
  const points = count('.', '.')
  if (commas === 0)
    return found(
      '.',
      points > 0 ? `${points} sampled cells have a decimal point.` : 'No sampled cell has a decimal mark.',
    )
  if (points === 0) return found(',', `${commas} sampled cells have a decimal comma.`)
  return found(
    commas > points ? ',' : '.',
    `${commas} sampled cells have a decimal comma and ${points} a decimal point.`,
    true,
  )
}

function detectHeader(records: Records, decimal: '.' | ','): Found<boolean> {
  const [first, ...rest] = records
  if (first === undefined) return found(false, 'The file has no rows.')
  const isValue = (cell: string) => classify(cell, decimal) !== 'other' && !isMissingMark(cell)
  if (first.some(isValue)) return found(false, 'The first row holds numbers.')
  const numeric = first.some((_, column) => rest.some((cells) => isValue(cells[column] ?? '')))
  if (numeric) return found(true, 'The first row holds words above columns with numbers.')
  return found(true, 'No column holds numbers, so the first row is taken for names.', rest.length > 0)
}

function shown(delimiter: Delimiter): string {
  const names: Readonly<Record<Delimiter, string>> = {
    ',': 'comma',
    '\t': 'tab',
    ';': 'semicolon',
    '|': 'bar',
    ' ': 'blanks',
  }
  return names[delimiter]
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}
