import { createHash, randomUUID } from 'node:crypto'
import type { DatasetProgress, FileFacts, ImportOverrides, ImportPreview } from '@shared/dataset'
import { RateLimit } from '@shared/throttle'
import type { Dataset } from '../dataset/dataset'
import { headBytes, inspect, type Inspection } from './inspect'
import { readRecords, type RecordOptions } from './records'
import { assertFitsInMemory } from './fits-in-memory'
import { changedWhileRead } from './source-errors'
import { TableBuilder } from './table-builder'
import { sourceFacts } from './text-source'
import { damagedUtf8, isDamagedUtf8, latin1From } from './whole-encoding'

/** Progress at most this often. */
const progressMs = 100

/** Rows of cells a preview shows whatever stands in them. */
const previewRows = 50

/** What would be done with a file, from its first block. @throws LabError for what cannot be read. */
export async function previewFile(path: string, overrides: ImportOverrides): Promise<ImportPreview> {
  const began = performance.now()
  const inspection = await inspect(path, overrides)
  const table = new TableBuilder(inspection, overrides)
  for (const record of inspection.met.blank) table.blank(record)
  for (const { doubt, record } of inspection.met.doubts) table.warnings.doubt(doubt, record)
  for (const record of inspection.met.damaged) table.warnings.damage(record)
  for (const record of inspection.sampled) table.add(record)
  const columns = table.columns()
  const receipt = table.receipt(performance.now() - began)
  const doubts = Object.values(receipt.evidence).some(({ doubtful }) => doubtful)
  const isGuessed =
    receipt.doubtfulRows > 0 || (inspection.titles.length > 0 && overrides.titleRows === undefined)
  const isRagged = receipt.tooLong + receipt.tooShort > 0
  const { doubts: quotes, damaged } = inspection.met
  const named = new Set([...quotes.map(({ record }) => record), ...damaged, ...table.notedRecords])
  const shown = inspection.sampled.filter(({ record }, i) => i < previewRows || named.has(record))
  return {
    file: inspection.file,
    receipt,
    columns: columns.map(({ info }) => info),
    sample: shown.map(({ cells }) => cells),
    sampleRows: shown.map(({ record }) => record),
    doubtfulRows: shown.map(({ record }) => record).filter((record) => named.has(record)),
    doubtful: doubts || isGuessed || isRagged || columns.some(({ info }) => info.notNumeric > 0),
  }
}

/** The first block was valid UTF-8, a later record is not. */
class OtherEncoding extends Error {
  constructor(readonly record: number) {
    super(`record ${record} is not valid UTF-8`)
  }
}

/**
 * Reads a whole file into centred float32 columns, in one pass with bounded memory beside the columns; in another when
 * bytes far down show another encoding than the first block, or a column turns out to hold numbers.
 * @throws LabError with a `csv.*` code, or `cancelled`.
 */
export async function openDataset(
  path: string,
  overrides: ImportOverrides,
  onProgress: (progress: DatasetProgress) => void,
  signal: AbortSignal,
): Promise<Dataset> {
  const began = performance.now()
  const load = { path, overrides, onProgress, signal, began }
  const inspection = await inspectWhole(path, overrides, signal)
  const { bom, dialect } = inspection
  const isCertain = dialect.encoding !== 'utf-8' || bom || overrides.encoding !== undefined
  try {
    return await readTable(inspection, { ...load, isCertain })
  } catch (thrown) {
    if (!(thrown instanceof OtherEncoding)) throw thrown
    const again = (await isDamagedUtf8(path, signal))
      ? inspection
      : await inspect(path, overrides, latin1From(thrown.record))
    return readTable(again, { ...load, isCertain: true })
  }
}

/** A single damaged byte in the first block must not make a whole file of UTF-8 Latin-1. */
async function inspectWhole(
  path: string,
  overrides: ImportOverrides,
  signal: AbortSignal,
): Promise<Inspection> {
  const inspection = await inspect(path, overrides)
  const { dialect, file } = inspection
  const isGuessed = dialect.encoding === 'latin1' && overrides.encoding === undefined
  if (!isGuessed || file.bytes <= headBytes || !(await isDamagedUtf8(path, signal))) return inspection
  return inspect(path, overrides, damagedUtf8)
}

interface Load {
  readonly path: string
  readonly overrides: ImportOverrides
  readonly onProgress: (progress: DatasetProgress) => void
  readonly signal: AbortSignal
  /** Milliseconds, as `performance.now` has them. */
  readonly began: number
  /** Bytes that are not valid in the encoding are damage, and no sign of another encoding. */
  readonly isCertain: boolean
}

/** Columns turned out to hold numbers, none of which was kept. */
class MissedNumbers extends Error {
  constructor(readonly columns: ReadonlySet<number>) {
    super(`numbers of ${columns.size} columns were not kept`)
  }
}

async function readTable(inspection: Inspection, load: Load): Promise<Dataset> {
  try {
    return await readOnce(inspection, load, new Set())
  } catch (thrown) {
    if (!(thrown instanceof MissedNumbers)) throw thrown
    return readOnce(inspection, load, thrown.columns)
  }
}

/** @param late columns of numbers that the first block does not show to be such */
async function readOnce(inspection: Inspection, load: Load, late: ReadonlySet<number>): Promise<Dataset> {
  const { path, overrides, onProgress, signal } = load
  assertFitsInMemory(inspection, undefined, late)
  const table = new TableBuilder(inspection, overrides, late)
  const hash = createHash('sha256')
  let bytes = 0
  const limit = new RateLimit(progressMs)
  const report = () => onProgress({ path, rows: table.rows, bytes, totalBytes: inspection.file.bytes })
  const options: RecordOptions = {
    hash,
    onBytes: (total) => (bytes = total),
    onBlank: (record) => table.blank(record),
    onDoubt: (doubt, record) => table.warnings.doubt(doubt, record),
    onDamage: (record) => {
      if (!load.isCertain) throw new OtherEncoding(record)
      table.warnings.damage(record)
    },
    onLineEnds: (lineEnds) => table.warnings.lineEnds(lineEnds),
  }
  for await (const batch of readRecords(path, inspection.form, signal, options)) {
    for (const record of batch) table.add(record)
    if (limit.take()) report()
  }
  report()
  await assertUnchanged(inspection.file)
  const missed = table.missedNumbers()
  if (missed.length > 0) throw new MissedNumbers(new Set(missed))
  const file = { ...inspection.file, sha256: hash.digest('hex') }
  return table.finish(randomUUID(), file, performance.now() - load.began)
}

/** The path must still lead to the file that was looked at first: not removed, not replaced, not written to. */
async function assertUnchanged({ path, bytes, modifiedMs }: FileFacts): Promise<void> {
  const now = await sourceFacts(path).catch(() => null)
  if (now?.bytes !== bytes || now.modifiedMs !== modifiedMs) throw changedWhileRead(path)
}
