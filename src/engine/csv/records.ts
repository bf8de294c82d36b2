import type { Hash } from 'node:crypto'
import { LabError } from '@shared/errors'
import { columnarRecords } from '../formats/columnar-rows'
import { Slices } from '../slices'
import { binaryFile } from './magic'
import { tableReader } from './reader'
import type { LineEnds, QuoteDoubt, RecordForm, TableReader } from './table-reader'
import type { DecodedText } from './text-decoder'
import { readText } from './text-source'

/** One record of a file. */
export interface CsvRecord {
  /** 1-based position in the file; lines above the table, header, headed preamble and blank lines are counted. */
  readonly record: number
  /** Cells as they stand in the file, without their quotes. */
  readonly cells: readonly string[]
}

export interface RecordOptions {
  readonly hash?: Hash
  readonly onBytes?: (total: number) => void
  /** Told the record number of each blank line, which is no record. */
  readonly onBlank?: (record: number) => void
  readonly onDoubt?: (doubt: QuoteDoubt, record: number) => void
  /** Told the number of a record with bytes that are not valid in the encoding, once a place. */
  readonly onDamage?: (record: number) => void
  /** Told at the end how often each kind of line end was met. */
  readonly onLineEnds?: (lineEnds: Readonly<LineEnds>) => void
}

/** Records per batch: small enough that a consumer stays responsive, large enough to cost nothing. */
const batchRecords = 2048

/** Cells per batch: rows of thousands of cells come in smaller batches. */
const batchCells = 1 << 18

/**
 * The records of a file in order, in batches, with bounded memory. Blank lines are left out but counted in the
 * numbers. A file that has columns of its own is read as if its rows were such records. Used for loading and, a second time, for exporting source cells unchanged.
 * @throws LabError `csv.nul`, `csv.long-cell`, `csv.changed`, `cancelled`, and those of reading the file.
 */
export async function* readRecords(
  path: string,
  form: RecordForm,
  signal: AbortSignal,
  options: RecordOptions = {},
): AsyncGenerator<readonly CsvRecord[]> {
  const { columnar } = form
  if (columnar !== undefined)
    return yield* columnarRecords(path, columnar, { signal, ...fileOptions(options) })
  const slices = new Slices(signal)
  const { onBlank, onDoubt, onDamage, onLineEnds } = options
  const reader = tableReader({ form, ...(onDoubt && { onDoubt }), ...(onDamage && { onDamage }) })
  let record = form.leadingLines
  const text = readText(path, { encoding: form.dialect.encoding, signal, ...fileOptions(options) })
  for await (const { block, last } of markLast(text)) {
    if (block.text.includes('\0')) throw binaryFile(path, reader.record)
    const records = read(reader, block, last, path)
    const size = Math.max(1, Math.min(batchRecords, Math.floor(batchCells / (records.at(0)?.length ?? 1))))
    for (let start = 0; start < records.length; start += size) {
      const batch: CsvRecord[] = []
      for (const cells of records.slice(start, start + size)) {
        record++
        if (isBlank(cells)) onBlank?.(record)
        else batch.push({ record, cells })
      }
      if (batch.length > 0) yield batch
      await slices.next()
    }
  }
  onLineEnds?.(reader.lineEnds)
}

export function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0].trim() === ''
}

function fileOptions({ hash, onBytes }: RecordOptions): Pick<RecordOptions, 'hash' | 'onBytes'> {
  return { ...(hash && { hash }), ...(onBytes && { onBytes }) }
}

function read(
  reader: TableReader,
  { text, damaged }: DecodedText,
  last: boolean,
  path: string,
): readonly (readonly string[])[] {
  try {
    return reader.push(text, last, damaged)
  } catch (thrown) {
    throw thrown instanceof RangeError ? cellTooLong(path, reader.record, thrown) : thrown
  }
}

/** A string has a largest length. */
function cellTooLong(path: string, record: number, cause: RangeError): LabError {
  return new LabError(
    'input',
    'csv.long-cell',
    `Row ${record} of ${path} has a cell of more than 500 million characters: shorten it, or split the file.`,
    cause.message,
  )
}

async function* markLast(
  blocks: AsyncIterable<DecodedText>,
): AsyncGenerator<{ block: DecodedText; last: boolean }> {
  let held: DecodedText | undefined
  for await (const block of blocks) {
    if (held !== undefined) yield { block: held, last: false }
    held = block
  }
  yield { block: held ?? { text: '', damaged: [] }, last: true }
}
