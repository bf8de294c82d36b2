import type { Dataset } from '../dataset/dataset'
import type { HeldPart, RowPart } from '../engines/engine'
import type { ReadPieces } from '../engines/native-addon/file-hash'
import type { NativeTableFacts } from '../engines/native-addon/table-reader'
import type { ColumnarFacts } from '../formats/columnar-inspection'
import { addColumnarRows } from '../formats/columnar-rows'
import { readFloatsInParts } from '../formats/npy/float-reader'
import { gatheredData, rowParts, rowsOfBlock } from '../processes/collective'
import type { RunProcesses } from '../processes/run-processes'
import type { Room } from '../scratch/room'
import { countLines, cutLines, tooFewRows } from './cut-lines'
import type { Inspection } from './inspect'
import { mergedFacts } from './merged-facts'
import { byAddon, NativeRun, unfitColumn, type NativeReading } from './native-reader'
import type { BatchReport, OddCell } from './native-table'
import { ColumnsOfPart, firstOddCells, LinesOfPart, type ReadPart } from './part-of-table'
import { changedWhileRead } from './source-errors'
import type { TableBuilder } from './table-builder'
import { repeatsAmongAll } from './unique-numbers'

/** A file that processes are to read together. */
export interface SharedReading {
  readonly inspection: Inspection
  readonly processes: RunProcesses
  readonly signal: AbortSignal
  /** A table that nothing was added to. */
  readonly emptyTable: () => TableBuilder
  readonly reading: (table: TableBuilder) => NativeReading
  /** Where columns are kept. */
  readonly room: Room
  /** Told in the end which bytes all processes read, in the order of the file. */
  readonly onRead: (pieces: ReadPieces) => void
}

/** The rows of this process, in a table that tells of all of them; or why the file is not read so, a sentence that all know. */
export type PartsOutcome = PartRead | { readonly because: string }

interface PartRead {
  readonly table: TableBuilder
  readonly part: NonNullable<Dataset['part']>
  readonly because: null
}

/**
 * Reads the rows of this process; columns hold those alone.
 * @throws LabError those of reading the file, `cancelled`
 */
export async function readInParts(shared: SharedReading): Promise<PartsOutcome> {
  const { columnar } = shared.inspection
  return columnar === null ? readLines(shared) : readColumns(shared, columnar)
}

/**
 * Every line below the header is taken for a row at first; where some are none, all know which these are once the file was read,
 * and read it again between other cuts.
 */
function readLines({
  inspection,
  processes,
  signal,
  emptyTable,
  reading,
  onRead,
}: SharedReading): Promise<PartsOutcome> {
  const { file, firstRecord } = inspection
  const first = emptyTable()
  return byAddon<PartsOutcome>(inspection, first, async (addon, handle) => {
    const lines = await countLines(handle, file.bytes, processes, signal)
    const noRows = { leftOutRecords: new Uint32Array(), blankRecords: new Uint32Array() }
    let numbering = { firstRecord, ...noRows }
    for (let table = first, isFirst = true; ; table = emptyTable(), isFirst = false) {
      const cut = await cutLines(handle, lines, numbering, processes)
      if (cut.because !== null) return cut
      const part = new LinesOfPart(table)
      const read: ReadPieces[] = []
      const own = { ...reading(table), onRead: (pieces: ReadPieces) => read.push(pieces) }
      const run = new NativeRun(addon, inspection, part, own)
      await run.read(handle.fd, cut.stretch.end - cut.stretch.begin, cut.stretch)
      const all = await gatheredReports(part, read, run.refusal, processes)
      if ('because' in all) return all
      const held = heldPart(all.facts, cut.part, processes)
      if (held !== null) {
        await together(part, all, processes)
        all.read.forEach(onRead)
        return { table, part: { ...held, stretch: cut.stretch }, because: null }
      }
      if (!isFirst) throw changedWhileRead(file.path)
      numbering = numberingOf(firstRecord, all.reports)
    }
  })
}

function numberingOf(firstRecord: number, reports: readonly BatchReport[]) {
  const leftOutRecords = Uint32Array.from(
    reports.flatMap(({ ragged }) => [...ragged.filter((_, at) => at % 2 === 0)]),
  )
  const blankRecords = Uint32Array.from(
    reports.flatMap(({ blank }) => [...blank.filter((record) => record >= firstRecord)]),
  )
  return { firstRecord, leftOutRecords, blankRecords }
}

/** The rows of this process; null where those of one before the last are others than were planned. */
function heldPart(
  facts: readonly NativeTableFacts[],
  { first, count }: RowPart,
  processes: RunProcesses,
): HeldPart | null {
  const { rank, size } = processes
  const rows = facts.reduce((sum, each) => sum + each.rows, 0)
  const planned = rowParts(rows, size)
  const isPlanned = facts.every((each, of) => each.rows === planned[of].count)
  return isPlanned && planned[rank].first === first && planned[rank].count === count
    ? { first, count, processes }
    : null
}

/** Float32 numbers as they stand, where they can be kept so; else column by column. */
async function readColumns(shared: SharedReading, columnar: ColumnarFacts): Promise<PartsOutcome> {
  const { inspection, processes, signal, emptyTable, reading, room, onRead } = shared
  const { file } = inspection
  const own = emptyTable()
  const unfit = unfitColumn(own)
  if (unfit !== null) return { because: unfit }
  if (columnar.rows < processes.size * rowsOfBlock) return tooFewRows
  const planned = rowParts(columnar.rows, processes.size)[processes.rank]
  const part = { ...planned, processes }
  const floats = emptyTable()
  if (await readFloatsInParts(inspection, floats, room, part, { ...reading(floats), onRead })) {
    return { table: floats, part, because: null }
  }
  const odd: OddCell[] = []
  for (const builder of own.builders) builder.onOdd = (cell) => odd.push(cell)
  const { onBytes } = reading(own)
  await addColumnarRows(own, file.path, columnar.format, { signal, onBytes }, part)
  const whole = emptyTable()
  const columns = new ColumnsOfPart(own, whole, odd)
  const all = await gatheredReports(columns, [], null, processes)
  if ('because' in all) return all
  await together(columns, all, processes)
  return { table: whole, part, because: null }
}

/** What each process tells the others. */
interface PartReport {
  readonly refusal: string | null
  readonly facts: NativeTableFacts | null
  readonly report: BatchReport
  readonly read: readonly ReadPieces[]
}

/** By rank. */
interface AllReports {
  readonly facts: readonly NativeTableFacts[]
  readonly reports: readonly BatchReport[]
  readonly read: readonly ReadPieces[]
}

/** Where one of them refuses what it read, each then reads the file by itself, and says what is the matter with it. */
async function gatheredReports(
  { facts, report }: ReadPart,
  read: readonly ReadPieces[],
  refusal: string | null,
  processes: RunProcesses,
): Promise<AllReports | { readonly because: string }> {
  const own: PartReport = { refusal, facts: facts && withoutValues(facts), report, read }
  const all = await gatheredData(processes, own)
  const refused = all.find((each) => each.refusal !== null)?.refusal ?? null
  if (refused !== null) return { because: refused }
  return {
    facts: all.flatMap((each) => (each.facts === null ? [] : [each.facts])),
    reports: all.map((each) => each.report),
    read: all.flatMap((each) => each.read),
  }
}

async function together(
  part: ReadPart,
  { facts, reports }: AllReports,
  processes: RunProcesses,
): Promise<void> {
  part.end(await withUnique(mergedFacts(facts), part, processes), firstOddCells(reports))
}

function withoutValues(facts: NativeTableFacts): NativeTableFacts {
  const rest = new Float64Array()
  const columns = facts.columns.map((column) =>
    column.kept === undefined ? column : { ...column, kept: { ...column.kept, rest } },
  )
  return { ...facts, columns }
}

/** Whether a number is there twice is asked over all parts: each alone looks at others than a reader of the whole file does. */
async function withUnique(
  facts: NativeTableFacts,
  part: ReadPart,
  processes: RunProcesses,
): Promise<NativeTableFacts> {
  const columns = []
  for (const [i, column] of facts.columns.entries()) {
    const { kept } = column
    const numbers = part.numbers(i)
    if (kept === undefined || kept.countsUp || numbers === null || !part.isWatched(i)) columns.push(column)
    else {
      const unique = !(await repeatsAmongAll(numbers, processes))
      columns.push({ ...column, kept: { ...kept, unique } })
    }
  }
  return { ...facts, columns }
}
