import type { Dialect, Encoding, Evidence, ImportOverrides } from '@shared/dataset'
import { detectDelimiter } from './delimiter'
import { evidence, given } from './evidence'
import { detectDecimal, detectHeader } from './header'
import { classify } from './number'
import { sampleRecords } from './sample'

export interface DialectFound {
  readonly dialect: Dialect
  readonly evidence: Readonly<Omit<Record<keyof Dialect, Evidence>, 'encoding'>>
}

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
