import { createHash, randomUUID } from 'node:crypto'
import type { DatasetProgress, FileFacts, ImportOverrides, ImportPreview, ReaderUsed } from '@shared/dataset'
import { RateLimit } from '@shared/throttle'
import type { ColumnarFacts } from '../formats/columnar-inspection'
import { addColumnarRows } from '../formats/columnar-rows'
import { readFloats } from '../formats/npy/float-reader'
import type { Room } from '../scratch/room'
import type { Dataset } from '../dataset/dataset'
import { headBytes, inspect, type Inspection } from './inspect'
import { readNatively, type NativeBlocks, type NativeOutcome, type NativeReading } from './native-reader'
import { readInParts } from './read-in-parts'
import type { RunProcesses } from '../processes/run-processes'
import { readRecords, type RecordOptions } from './records'
import { roomForColumns } from './room-for-columns'
import { changedWhileRead } from './source-errors'
import { SourceHash } from './source-hash'
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
    doubtful:
      doubts ||
      isGuessed ||
      isRagged ||
      columns.some(({ info }) => info.notNumeric > 0 || info.date?.ambiguous),
  }
}

/** The text reader even where the native one could; or how that one cuts the file. Every way makes the same dataset. */
export interface ReaderWish extends Partial<NativeBlocks> {
  readonly text?: boolean
  /** That read the same file, each its part where that can be. */
  readonly processes?: RunProcesses | undefined
  /** One of them needs all points in the end, so that it is of no use that others read a part. */
  readonly needsPoints?: boolean
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
  wish: ReaderWish = {},
): Promise<Dataset> {
  const began = performance.now()
  const load = { path, overrides, onProgress, signal, began, wish }
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
  readonly wish: ReaderWish
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
  const hash = await SourceHash.open(inspection.file, load.signal)
  try {
    const { table, sha256, reader, ...parts } = await readRows(inspection, { ...load, hash }, late)
    await assertUnchanged(inspection.file)
    const missed = table.missedNumbers()
    if (missed.length > 0) throw new MissedNumbers(new Set(missed))
    const file = { ...inspection.file, sha256: sha256 ?? null }
    const dataset = {
      ...table.finish(randomUUID(), file, performance.now() - load.began, reader),
      ...parts,
    }
    const isWanted = sha256 === undefined && (parts.part?.processes.rank ?? 0) === 0
    if (isWanted) return { ...dataset, hashing: hashing(hash, file) }
    await hash.drop()
    return dataset
  } catch (thrown) {
    await hash.drop()
    throw thrown
  }
}

/** Goes on while others work with the columns. */
function hashing(hash: SourceHash, file: { sha256: string | null }): Promise<void> {
  const made = hash.finish().then((sha256) => {
    file.sha256 = sha256
  })
  // Whoever waits for it is told.
  made.catch(() => undefined)
  return made
}

/** With what is to be hashed. */
interface HashedLoad extends Load {
  readonly hash: SourceHash
}

interface RowsRead extends Pick<Dataset, 'part' | 'whole'> {
  readonly table: TableBuilder
  /** Of a reader that hashes the bytes that it decodes; else it is made behind it. */
  readonly sha256?: string
  /** Undefined for what is no text. */
  readonly reader: ReaderUsed | undefined
}

/** By all processes together where there are several, by each for itself where that cannot be. */
async function readRows(
  inspection: Inspection,
  load: HashedLoad,
  late: ReadonlySet<number>,
): Promise<RowsRead> {
  const { processes, needsPoints = false } = load.wish
  const alone = () => readAlone(inspection, load, late, roomForColumns(inspection, undefined, late))
  if (processes === undefined) return alone()
  if (needsPoints) {
    const because = 'A file that is asked for needs all points.'
    return { ...(await alone()), whole: { processes, because } }
  }
  const room = roomForColumns(inspection, undefined, late, processes.size)
  const { because, ...read } = await readInParts({
    ...{ inspection, processes, room, signal: load.signal },
    emptyTable: () => new TableBuilder(inspection, load.overrides, late, room),
    reading: (table) => nativeReading(inspection, load, table),
    onRead: (pieces) => load.hash.add(pieces),
  })
  if (because !== null || !('part' in read)) {
    return { ...(await alone()), whole: { processes, because: because ?? '' } }
  }
  return { ...read, reader: readerOf(inspection) }
}

/** Of what it read; undefined for what is no text. */
function readerOf({ columnar }: Inspection): ReaderUsed | undefined {
  return columnar === null ? { kind: 'native', because: null } : undefined
}

/** By the native reader; from the beginning by the text reader where that one refuses the file. */
async function readAlone(
  inspection: Inspection,
  load: HashedLoad,
  late: ReadonlySet<number>,
  room: Room,
): Promise<RowsRead> {
  if (inspection.columnar !== null) return readColumns(inspection, inspection.columnar, load, late, room)
  const emptyTable = () => new TableBuilder(inspection, load.overrides, late, room)
  const table = emptyTable()
  const native: NativeOutcome =
    load.wish.text === true
      ? { because: 'It was asked for.' }
      : await readNatively(inspection, table, nativeReading(inspection, load, table))
  const { because } = native
  if (because === null) return { table, reader: { kind: 'native', because } }
  return { ...(await readInSlices(inspection, load, emptyTable())), reader: { kind: 'text', because } }
}

/** Float32 numbers as they stand, where they can be kept so; else column by column. */
async function readColumns(
  inspection: Inspection,
  columnar: ColumnarFacts,
  load: HashedLoad,
  late: ReadonlySet<number>,
  room: Room,
): Promise<RowsRead> {
  const emptyTable = (its: Room) => new TableBuilder(inspection, load.overrides, late, its)
  const byColumns = async (table: TableBuilder) => {
    const reading = nativeReading(inspection, load, table)
    await addColumnarRows(table, inspection.file.path, columnar.format, reading)
    return { table, reader: undefined }
  }
  const table = emptyTable(room)
  const { numberBytes, ...others } = columnar
  if (numberBytes === undefined || load.wish.text === true) return byColumns(table)
  const { because } = await readFloats(inspection, table, room, nativeReading(inspection, load, table))
  if (because === null) return { table, reader: undefined }
  // Others may need more than they have in the file.
  return byColumns(emptyTable(roomForColumns({ ...inspection, columnar: others }, undefined, late)))
}

function nativeReading(inspection: Inspection, load: HashedLoad, table: TableBuilder): NativeReading {
  const report = reporter(inspection, load, table)
  const { bytes } = inspection.file
  return {
    ...{ ...load.wish, signal: load.signal },
    onBytes: (total) => report(total, total === bytes),
    onRead: (pieces) => load.hash.add(pieces),
  }
}

/** Tells how far it is, not too often. */
function reporter({ file }: Inspection, { path, onProgress }: Load, table: TableBuilder) {
  const limit = new RateLimit(progressMs)
  return (bytes: number, always: boolean) => {
    if (limit.take() || always) onProgress({ path, rows: table.rows, bytes, totalBytes: file.bytes })
  }
}

async function readInSlices(
  inspection: Inspection,
  load: Load,
  table: TableBuilder,
): Promise<{ readonly table: TableBuilder; readonly sha256: string }> {
  const { signal } = load
  const hash = createHash('sha256')
  let bytes = 0
  const report = reporter(inspection, load, table)
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
  for await (const _ of addedRows(table, inspection, signal, options)) report(bytes, false)
  report(bytes, true)
  return { table, sha256: hash.digest('hex') }
}

/** Rows on their way into a table, batch by batch. */
async function* addedRows(
  table: TableBuilder,
  { file, form }: Inspection,
  signal: AbortSignal,
  options: RecordOptions,
): AsyncGenerator<void> {
  for await (const batch of readRecords(file.path, form, signal, options)) {
    for (const record of batch) table.add(record)
    yield
  }
}

/** The path must still lead to the file that was looked at first: not removed, not replaced, not written to. */
async function assertUnchanged({ path, bytes, modifiedMs }: FileFacts): Promise<void> {
  const now = await sourceFacts(path).catch(() => null)
  if (now?.bytes !== bytes || now.modifiedMs !== modifiedMs) throw changedWhileRead(path)
}
