import type { Hash } from 'node:crypto'
import { LabError } from '@shared/errors'
import type { Dialect } from '@shared/dataset'
import { Slices } from '../slices'
import { binaryFile } from './magic'
import { tableReader } from './reader'
import { detectNewline, UnclosedQuote, type TableReader } from './table-reader'
import { readText } from './text-source'

/** One record of a file. */
export interface CsvRecord {
  /** 1-based position in the file; header, headed preamble and blank lines are counted. */
  readonly record: number
  /** Cells as they stand in the file, without their quotes. */
  readonly cells: readonly string[]
}

export interface RecordOptions {
  readonly hash?: Hash
  readonly onBytes?: (total: number) => void
  /** Told the record number of each blank line, which is no record. */
  readonly onBlank?: (record: number) => void
}

/** Records per batch: small enough that a consumer stays responsive, large enough to cost nothing. */
const batchRecords = 2048

/**
 * The records of a file in order, in batches, with bounded memory. Blank lines are left out but counted in the
 * numbers. Used for loading and, a second time, for exporting source cells unchanged.
 * @throws LabError `csv.unclosed-quote`, `csv.nul`, `csv.changed`, `cancelled`, and those of reading the file.
 */
export async function* readRecords(
  path: string,
  dialect: Dialect,
  signal: AbortSignal,
  options: RecordOptions = {},
): AsyncGenerator<readonly CsvRecord[]> {
  const slices = new Slices(signal)
  let reader: TableReader | undefined
  let record = 0
  const text = readText(path, { encoding: dialect.encoding, signal, ...fileOptions(options) })
  for await (const { chunk, last } of markLast(text)) {
    if (chunk.includes('\0')) throw binaryFile(path, record + 1)
    reader ??= tableReader(dialect, detectNewline(chunk))
    const records = parse(reader, chunk, last, path)
    for (let start = 0; start < records.length; start += batchRecords) {
      const batch: CsvRecord[] = []
      for (const cells of records.slice(start, start + batchRecords)) {
        record++
        if (cells.length === 1 && cells[0].trim() === '') options.onBlank?.(record)
        else batch.push({ record, cells })
      }
      if (batch.length > 0) yield batch
      await slices.next()
    }
  }
}

function fileOptions({ hash, onBytes }: RecordOptions): Pick<RecordOptions, 'hash' | 'onBytes'> {
  return { ...(hash && { hash }), ...(onBytes && { onBytes }) }
}

function parse(
  reader: TableReader,
  chunk: string,
  last: boolean,
  path: string,
): readonly (readonly string[])[] {
  try {
    return reader.push(chunk, last)
  } catch (thrown) {
    if (!(thrown instanceof UnclosedQuote)) throw thrown
    throw new LabError(
      'input',
      'csv.unclosed-quote',
      `The quote opened in row ${thrown.index + 1} of ${path} is never closed: close it, or open the file with another quote setting.`,
    )
  }
}

async function* markLast(chunks: AsyncIterable<string>): AsyncGenerator<{ chunk: string; last: boolean }> {
  let held: string | undefined
  for await (const chunk of chunks) {
    if (held !== undefined) yield { chunk: held, last: false }
    held = chunk
  }
  yield { chunk: held ?? '', last: true }
}
