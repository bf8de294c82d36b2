import type { Delimiter, Dialect, Encoding, Evidence, ImportOverrides } from '@shared/dataset'
import { detectDelimiter } from './delimiter'
import { evidence, found, given, type Found } from './evidence'
import { detectDecimal, detectHeader } from './header'
import { behindLines, delimiterOf, type LeadingLines } from './leading-lines'
import { classify } from './number'
import { numericColumns } from './numeric-columns'
import { looksLikeRow } from './row-like'
import { commonWidth, sampleRecords, type Records } from './sample'
import { countTitles } from './titles'

export interface DialectFound {
  readonly dialect: Dialect
  readonly evidence: Readonly<Omit<Record<keyof Dialect, Evidence>, 'encoding'>>
  /** Lines above the table that are no records. */
  readonly leadingLines: number
}

/** The text of the first block, and what stands above its table. */
export interface HeadText {
  readonly text: string
  /** The block is all there is. */
  readonly whole: boolean
  readonly leading: LeadingLines
}

/** How the text of the first block is to be cut into cells; what was set by hand is not guessed. */
export function detectDialect(head: HeadText, encoding: Encoding, set: ImportOverrides): DialectFound {
  const { whole, leading } = head
  const body = behindLines(head.text, leading.count)
  const headed = set.format === undefined ? looksHeaded(body) : set.format === 'headed'
  const format = headed ? 'headed' : 'delimited'
  const quote = headed ? '' : (set.quote ?? detectQuote(body))
  const base: Dialect = { format, encoding, delimiter: ' ', quote, header: false, decimal: '.' }
  const formatSays = evidence(
    set.format,
    headed ? headedSays : 'The first lines are not the counts of the headed format.',
  )
  if (headed) {
    const dialect = { ...base, decimal: set.decimal ?? '.' }
    return { dialect, evidence: headedEvidence(formatSays, set), leadingLines: leading.count }
  }
  const delimiter = delimiterFound(body, whole, base, leading, set)
  const cut = { ...base, delimiter: delimiter.value }
  const records = sampleRecords(body, whole, cut)
  const decimal = set.decimal === undefined ? detectDecimal(records, cut.delimiter) : given(set.decimal)
  const top = topOfTable(records, { ...cut, decimal: decimal.value }, leading, set)
  return {
    dialect: { ...cut, decimal: decimal.value, header: top.header.value },
    evidence: {
      format: formatSays,
      delimiter: delimiter.evidence,
      quote: evidence(set.quote, quote === '"' ? 'CSV default.' : 'Cells begin and end with single quotes.'),
      header: top.header.evidence,
      decimal: decimal.evidence,
    },
    leadingLines: top.leadingLines,
  }
}

function delimiterFound(
  body: string,
  whole: boolean,
  base: Dialect,
  { separator }: LeadingLines,
  set: ImportOverrides,
): Found<Delimiter> {
  if (set.delimiter !== undefined) return given(set.delimiter)
  const stated = delimiterOf(separator)
  if (stated !== null) return found(stated, `The first line says sep=${separator}.`)
  const { value, evidence: says } = detectDelimiter(body, whole, base)
  return separator === null
    ? { value, evidence: says }
    : found(value, `The first line says sep=${separator}, which is not offered. ${says.because}`, true)
}

/** Is there a row of names: the first below a title, or a comment right above numbers? */
function topOfTable(
  records: Records,
  dialect: Dialect,
  { count, lines, lastComment }: LeadingLines,
  set: ImportOverrides,
): { header: Found<boolean>; leadingLines: number } {
  const titles = set.titleRows ?? countTitles(records, dialect.decimal)
  const below = records.slice(titles)
  const rows = rowsAtEnd(lines, below, dialect)
  const table = [...rows, ...below]
  const header = detectHeader(table, dialect.decimal)
  const isInComment =
    set.header !== false && rows.length === 0 && !header.value && isNames(lastComment, table, dialect)
  const leadingLines = isInComment ? count - 1 : count - rows.length
  if (set.header !== undefined) return { header: given(set.header), leadingLines }
  return {
    header: isInComment
      ? found(true, commentSays, true)
      : belowTitles(header, set.titleRows === undefined ? titles : 0),
    leadingLines,
  }
}

/** Where the names stand is as doubtful as the title above them. */
function belowTitles(header: Found<boolean>, titles: number): Found<boolean> {
  if (titles === 0) return header
  const taken =
    titles === 1
      ? 'One line was taken for a title above it.'
      : `${titles} lines were taken for a title above it.`
  return found(header.value, `${taken} ${header.evidence.because}`, true)
}

/** A cell of the first column: a colour, a number with its sign. */
const markedCell = /^\s*(#|%|\/\/)\S/

/** The last comments, as far as they are rows whose first cell begins like a comment. */
function rowsAtEnd(lines: readonly string[], table: Records, dialect: Dialect): Records {
  if (lines.length === 0) return []
  const { width } = commonWidth(table)
  const shape = { width, numeric: numericColumns(table, width, dialect.decimal), firstRecord: 1 }
  const cellsOf = (line: string) => sampleRecords(line, true, dialect).at(0) ?? []
  const isRow = (line: string) =>
    markedCell.test(line) && looksLikeRow(cellsOf(line), { dialect, leadingLines: 0, shape })
  const lastOther = lines.findLastIndex((line) => !isRow(line))
  return lines.slice(lastOther + 1).map(cellsOf)
}

const commentSays = 'The comment above the numbers has a name for each column.'

function isNames(comment: string | null, table: Records, dialect: Dialect): boolean {
  if (comment === null) return false
  const names = sampleRecords(comment, true, dialect).at(0) ?? []
  return names.length === commonWidth(table).width && (names.length > 1 || !/\S\s/.test(names[0]))
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
  if (!sample.includes("'")) return '"'
  const single = (sample.match(/(^|[,;\t|\r\n])'[^'\r\n]*'(?=[,;\t|\r\n]|$)/g) ?? []).length
  return single > 3 && !sample.includes('"') ? "'" : '"'
}
