import { basename } from 'node:path'
import { LabError } from '@shared/errors'
import type { Dialect, Evidence, FileFacts, ImportOverrides } from '@shared/dataset'
import { detectDialect } from './dialect'
import { detectEncoding, type EncodingFound } from './encoding'
import { findLeadingLines, type LeadingLines } from './leading-lines'
import { binaryFile, refuseForeignFormats } from './magic'
import { columnNames } from './names'
import { numericColumns } from './numeric-columns'
import type { CsvRecord } from './records'
import { commonWidth, readSample, type Sample } from './sample'
import type { RecordForm, RowShape } from './table-reader'
import { BlockDecoder } from './text-decoder'
import { inspectColumnar, type ColumnarFacts } from '../formats/columnar-inspection'
import { readTextHead, sourceFacts } from './text-source'
import { countTitles } from './titles'

/** Bytes looked at before a file is read: its first block, more where its lines are longer. */
export const headBytes = 256 << 10

/** Bytes looked at where a long quoted cell hides the rows. */
const maxHeadBytes = 16 << 20

/** What the first block says about a file. */
export interface Inspection {
  readonly file: FileFacts
  readonly dialect: Dialect
  /** How the file is cut into records. */
  readonly form: RecordForm
  readonly bom: boolean
  readonly evidence: Readonly<Record<keyof Dialect, Evidence>>
  /** Header cells as they stand, or null. */
  readonly header: readonly string[] | null
  readonly names: readonly string[]
  /** First data records: they decide types to begin with, and where columns are centred. */
  readonly sample: readonly (readonly string[])[]
  /** The same with their numbers. */
  readonly sampled: readonly CsvRecord[]
  /** Record number of the first data record when no blank line stands right above it. */
  readonly firstRecord: number
  /** Headed format: the three counts. */
  readonly counts: { readonly n: number; readonly d: number; readonly k: number } | null
  readonly leading: LeadingLines
  /** Numbers of the records above the header, or above the data, that are a title. */
  readonly titles: readonly number[]
  /** Blank lines, doubtful quotes and damage among the sampled records. */
  readonly met: Pick<Sample, 'blank' | 'doubts' | 'damaged' | 'isOpen'>
  /** Where the encoding of the first block did not hold for the whole file: a sentence. */
  readonly lateEncoding: string | null
  /** What a file says that has columns of its own; null for text. */
  readonly columnar: ColumnarFacts | null
}

/**
 * Detects how a file is to be read.
 * @param known encoding of the whole file, where it is another than the first block says
 * @throws LabError for what is no text table
 */
export async function inspect(
  path: string,
  overrides: ImportOverrides,
  known?: EncodingFound,
): Promise<Inspection> {
  const { bytes, modifiedMs } = await sourceFacts(path)
  const file = { path, name: basename(path), bytes, sha256: null, modifiedMs }
  for (let least = headBytes; ; least *= 4) {
    const { bytes: head, whole, columnar } = await readTextHead(path, least)
    if (columnar !== null) return inspectColumnar(file, columnar, overrides)
    refuseForeignFormats(path, head)
    const inspection = inspectHead(file, head, whole, overrides, known)
    if (whole || !inspection.met.isOpen || least >= maxHeadBytes) return inspection
  }
}

/**
 * The same, from the first block itself.
 * @param whole the block is all there is
 */
export function inspectHead(
  file: FileFacts,
  head: Uint8Array,
  whole: boolean,
  overrides: ImportOverrides,
  known?: EncodingFound,
): Inspection {
  const { encoding, bom, ...encodingSays } = known ?? detectEncoding(head, whole, overrides.encoding)
  const decoded = new BlockDecoder(encoding).decode(head, whole)
  const { text } = decoded
  refuseNoText(file.path, text)
  const leading = findLeadingLines(text)
  const { dialect, evidence, leadingLines } = detectDialect({ text, whole, leading }, encoding, overrides)
  const rough = topOf(
    readSample(decoded, whole, { dialect, leadingLines, shape: null }),
    dialect,
    leadingLines,
    overrides,
  )
  const form = { dialect, leadingLines, shape: shapeOf(rough, dialect) }
  const sample = readSample(decoded, whole, form)
  const top = topOf(sample, dialect, leadingLines, overrides)
  return {
    ...top,
    ...{ file, dialect, form, bom, leading },
    evidence: { ...evidence, encoding: encodingSays },
    names: columnNames(top.header, widthOf(top)),
    sample: top.sampled.map(({ cells }) => cells),
    met: sample,
    lateEncoding: known?.because ?? null,
    columnar: null,
  }
}

function refuseNoText(path: string, text: string): void {
  if (text.includes('\0')) throw binaryFile(path, text.slice(0, text.indexOf('\0')).split('\n').length)
  if (text.trim() === '') {
    throw new LabError('input', 'csv.empty', `The file ${path} is empty: choose a file with a table in it.`)
  }
}

type Top = Pick<Inspection, 'header' | 'counts' | 'titles' | 'sampled' | 'firstRecord'>

/** Parts what stands above the data from the data. */
function topOf({ records }: Sample, dialect: Dialect, leadingLines: number, set: ImportOverrides): Top {
  const isHeaded = dialect.format === 'headed'
  const cells = records.map((record) => record.cells)
  const titles = isHeaded ? 0 : (set.titleRows ?? countTitles(cells, dialect.decimal))
  const above = titles + (isHeaded ? 3 : dialect.header ? 1 : 0)
  const [n, d, k] = cells.slice(0, 3).map(([count]) => Number(count))
  return {
    header: !isHeaded && dialect.header ? (cells.at(titles) ?? []) : null,
    counts: isHeaded ? { n, d, k } : null,
    titles: records.slice(0, titles).map(({ record }) => record),
    sampled: records.slice(above),
    firstRecord: above === 0 ? leadingLines + 1 : (records.at(above - 1)?.record ?? leadingLines + above) + 1,
  }
}

function shapeOf(top: Top, { decimal }: Dialect): RowShape {
  const rows = top.sampled.map(({ cells }) => cells)
  // A header of several lines may be rows that a stray quote has joined: then it does not tell the width.
  const isOfLines = top.header?.some((name) => /[\r\n]/.test(name)) ?? false
  const width = isOfLines && rows.length > 0 ? commonWidth(rows).width : widthOf(top)
  return { width, numeric: numericColumns(rows, width, decimal), firstRecord: top.firstRecord }
}

/** A header that ends with a delimiter names no further column, unless the rows have cells there. */
function widthOf({ header, counts, sampled }: Top): number {
  const rows = sampled.map(({ cells }) => cells)
  if (header === null) return counts?.d ?? commonWidth(rows).width
  const last = header.length - 1
  const isBlankEnd = header.length > 1 && header[last].trim() === ''
  const isFilled =
    commonWidth(rows).width === header.length && rows.some((cells) => (cells[last] ?? '').trim() !== '')
  return isBlankEnd && !isFilled ? last : header.length
}
