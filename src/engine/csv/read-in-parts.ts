import { shareColumns } from '../dataset/shared-columns'
import { loadCpuAddon } from '../engines/native'
import type { RowPart } from '../engines/engine'
import type { NativeBatch, NativeTableFacts } from '../engines/native-addon/table-reader'
import { gatheredData, rowsOfBlock } from '../processes/collective'
import type { RunProcesses } from '../processes/run-processes'
import { cutLines } from './cut-lines'
import type { Inspection } from './inspect'
import { mergedFacts } from './merged-facts'
import { sha256OfFile } from '../sha256-of-file'
import { codesOf, NativeTable, reportOf, type BatchReport, type OddCell } from './native-table'
import { NativeRun, whyUnfit, type NativeReading } from './native-reader'
import type { TableBuilder } from './table-builder'
import { packingOf } from '../formats/packing'
import { withSource } from './text-source'
import { repeatsAmongAll } from './unique-numbers'

/** Of a column the first cells that are infinite or other; as the CPU addon tells of a whole file. */
const maxOddCells = 1000

/** What became of a file that processes wanted to read together: all of them know the same. */
export type PartsOutcome =
  { readonly sha256: string; readonly part: RowPart; readonly because: null } | { readonly because: string }

/**
 * Reads the lines of this process into a table that nothing was added to; the table tells of all of them, its columns hold those
 * that were read here. The first process hashes the whole file meanwhile.
 * @throws LabError those of reading the file, `cancelled`
 */
export async function readInParts(
  inspection: Inspection,
  table: TableBuilder,
  reading: NativeReading,
  processes: RunProcesses,
): Promise<PartsOutcome> {
  const { addon, reason } = loadCpuAddon()
  if (addon?.TableReader === undefined) return { because: reason ?? 'The CPU engine was built without it.' }
  if (inspection.columnar !== null) return { because: 'The file has columns of its own.' }
  const unfit = whyUnfit(inspection, table)
  if (unfit !== null) return { because: unfit }
  const { path, bytes } = inspection.file
  return withSource(path, async (handle) => {
    if ((await packingOf(handle)) !== null) return { because: 'The file is compressed.' }
    const cut = await cutLines(handle, bytes, inspection.firstRecord, processes, reading.signal)
    if (cut.because !== null) return cut
    const hash = processes.rank === 0 ? sha256OfFile(path, reading.signal) : Promise.resolve('')
    // Whoever waits for it is told.
    hash.catch(() => undefined)
    const part = new PartOfTable(table)
    const run = new NativeRun(addon, inspection, part, reading)
    await run.read(handle.fd, cut.stretch.end - cut.stretch.begin, cut.stretch)
    const sha256 = await hash
    // Each process then reads the file by itself, and says what is the matter with it.
    const refusal = run.refusal ?? (sha256 === null ? 'It could not be read at once.' : null)
    return together(part, refusal, sha256 ?? '', cut.part, processes)
  })
}

/** What each process tells the others. */
interface PartReport {
  readonly refusal: string | null
  readonly sha256: string
  readonly facts: NativeTableFacts | null
  readonly report: BatchReport
}

async function together(
  part: PartOfTable,
  refusal: string | null,
  sha256: string,
  { first }: RowPart,
  processes: RunProcesses,
): Promise<PartsOutcome> {
  const { facts, report } = part
  const own: PartReport = { refusal, sha256, facts: facts && withoutValues(facts), report }
  const all = await gatheredData(processes, own)
  const refused = all.find((each) => each.refusal !== null)?.refusal ?? null
  if (refused !== null) return { because: refused }
  const parts = all.flatMap((each) => (each.facts === null ? [] : [each.facts]))
  const areBlocks = parts.slice(0, -1).every(({ rows }) => rows % rowsOfBlock === 0)
  if (facts === null || parts.length < all.length || !areBlocks) {
    return { because: 'The file has blank lines, or rows with too many or too few cells, among the others.' }
  }
  const merged = await withUnique(mergedFacts(parts), part, processes)
  part.end(merged, firstOddCells(all.map((each) => each.report)))
  shareColumns(processes.group)
  return { sha256: all[0].sha256, part: { first, count: facts.rows }, because: null }
}

function withoutValues(facts: NativeTableFacts): NativeTableFacts {
  const rest = new Float64Array()
  const columns = facts.columns.map((column) =>
    column.kept === undefined ? column : { ...column, kept: { ...column.kept, rest } },
  )
  return { ...facts, columns }
}

/** No number may be there twice in different parts either. */
async function withUnique(
  facts: NativeTableFacts,
  part: PartOfTable,
  processes: RunProcesses,
): Promise<NativeTableFacts> {
  const columns = []
  for (const [i, column] of facts.columns.entries()) {
    const { kept } = column
    const numbers = part.numbers(i)
    if (kept?.unique !== true || kept.countsUp || numbers === null) columns.push(column)
    else {
      const unique = !(await repeatsAmongAll(numbers, processes))
      columns.push({ ...column, kept: { ...kept, unique } })
    }
  }
  return { ...facts, columns }
}

/** Of each column as many as a reader of the whole file would report. */
function firstOddCells(reports: readonly BatchReport[]): readonly BatchReport[] {
  const counts = new Map<number, number>()
  const isWanted = ({ column, kind }: OddCell) => {
    const key = 2 * column + Number(kind === 'coarse')
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before < (kind === 'coarse' ? 1 : maxOddCells)
  }
  return reports.map((report) => ({ ...report, odd: report.odd.filter(isWanted) }))
}

/** Keeps the values that are read, and what is to be told of them until all is known. */
class PartOfTable {
  facts: NativeTableFacts | null = null
  readonly #builder: TableBuilder
  readonly #table: NativeTable
  readonly #reports: BatchReport[] = []
  /** By column. */
  readonly #codes = new Map<number, Uint16Array[]>()

  constructor(builder: TableBuilder) {
    this.#builder = builder
    this.#table = new NativeTable(builder)
  }

  get form(): NativeTable['form'] {
    return this.#table.form
  }

  take(batch: NativeBatch): void {
    this.#table.takeBlocks(batch)
    for (const [column, codes] of codesOf(batch)) {
      this.#codes.set(column, [...(this.#codes.get(column) ?? []), codes])
    }
    this.#reports.push(reportOf(batch))
    this.#builder.rows = batch.rows
  }

  /** Sink of a run: of these lines. With reports: of all. */
  end(facts: NativeTableFacts, reports?: readonly BatchReport[]): void {
    if (reports === undefined) {
      this.facts = facts
      return
    }
    const own = this.facts
    const columns = facts.columns.map((column, i) => {
      const rest = own?.columns[i].kept?.rest
      if (column.kept !== undefined && rest !== undefined)
        return { ...column, kept: { ...column.kept, rest } }
      this.#addCodes(i, own?.columns[i].texts ?? [], column.texts)
      return column
    })
    for (const report of reports) this.#table.report(report)
    this.#table.end({ ...facts, columns })
  }

  /** Values of a column that were read here. */
  numbers(column: number): Iterable<number> | null {
    const own = this.facts?.columns[column].kept
    const blocks = this.#table.columns[column].numbers()
    if (own === undefined || blocks === null) return null
    return { [Symbol.iterator]: () => valuesOf(blocks, own.rest) }
  }

  get report(): BatchReport {
    const joined = (of: (report: BatchReport) => Float64Array) =>
      Float64Array.from(this.#reports.flatMap((report) => [...of(report)]))
    return {
      blank: joined(({ blank }) => blank),
      ragged: joined(({ ragged }) => ragged),
      odd: this.#reports.flatMap(({ odd }) => odd),
    }
  }

  /** Codes of this part as codes of the whole. */
  #addCodes(column: number, own: readonly string[], all: readonly string[] | undefined): void {
    if (all === undefined) return
    const positions = new Map(all.map((text, i) => [text, i + 1]))
    const codes = Uint16Array.from([0, ...own.map((text) => positions.get(text) ?? 0)])
    for (const some of this.#codes.get(column) ?? []) {
      this.#table.addCodes(
        column,
        some.map((code) => codes[code]),
      )
    }
  }
}

function* valuesOf(
  blocks: { readonly length: number; at(row: number): number },
  rest: Float64Array,
): Generator<number> {
  for (let row = 0; row < blocks.length; row++) yield blocks.at(row)
  yield* rest
}
