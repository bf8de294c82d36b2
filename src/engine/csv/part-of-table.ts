import type { NativeBatch, NativeTableFacts } from '../engines/native-addon/table-reader'
import { codesOf, NativeTable, reportOf, type BatchReport, type OddCell } from './native-table'
import type { TableBuilder } from './table-builder'

/** Of a column the first cells that are infinite or other; as the CPU addon tells of a whole file. */
const maxOddCells = 1000

/** The rows that this process reads, until it is known what all processes have together. */
export interface ReadPart {
  /** Null where they were not read to their end. */
  readonly facts: NativeTableFacts | null
  readonly report: BatchReport
  /** Those of a column whose numbers are kept; null for others. */
  numbers(column: number): Iterable<number> | null
  /** Whether it is asked of a column whether a number is there twice. */
  isWatched(column: number): boolean
  /** All is known: the table is told. @param facts of all rows @param reports of each process */
  end(facts: NativeTableFacts, reports: readonly BatchReport[]): void
}

/** Of each column as many as a reader of the whole file would report. */
export function firstOddCells(reports: readonly BatchReport[]): readonly BatchReport[] {
  const isWanted = oddCellFilter()
  return reports.map((report) => ({ ...report, odd: report.odd.filter(isWanted) }))
}

function oddCellFilter(): (cell: OddCell) => boolean {
  const counts = new Map<number, number>()
  return ({ column, kind }) => {
    const key = 2 * column + Number(kind === 'coarse')
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before < (kind === 'coarse' ? 1 : maxOddCells)
  }
}

/** Lines that the CPU addon reads. */
export class LinesOfPart implements ReadPart {
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
      addCodes(this.#table, i, this.#codes.get(i) ?? [], own?.columns[i].texts, column.texts)
      return column
    })
    for (const report of reports) this.#table.report(report)
    this.#table.end({ ...facts, columns })
  }

  numbers(column: number): Iterable<number> | null {
    const own = this.facts?.columns[column].kept
    const blocks = this.#table.columns[column].numbers()
    if (own === undefined || blocks === null) return null
    return { [Symbol.iterator]: () => valuesOf(blocks, own.rest) }
  }

  isWatched(column: number): boolean {
    return this.form.watched[column] === 1
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
}

/** Rows of a file that has columns of its own, read into a table of them alone. */
export class ColumnsOfPart implements ReadPart {
  readonly facts: NativeTableFacts
  readonly report: BatchReport
  readonly #own: TableBuilder
  readonly #table: NativeTable

  /** @param own nothing is added any more @param whole what tells of all rows in the end */
  constructor(own: TableBuilder, whole: TableBuilder, odd: readonly OddCell[]) {
    const { rows, builders } = own
    this.#own = own
    this.#table = new NativeTable(
      whole,
      builders.map(({ numbers }) => numbers),
    )
    const columns = builders.map((builder) => builder.nativeFacts())
    this.facts = { rows, records: rows, lineEnds: new Float64Array(3), columns }
    const none = new Float64Array()
    this.report = { blank: none, ragged: none, odd: odd.filter(oddCellFilter()).sort(inOrderOfFile) }
  }

  end(facts: NativeTableFacts, reports: readonly BatchReport[]): void {
    for (const [i, { numbers, texts }] of this.#own.builders.entries()) {
      if (numbers !== null) continue
      const codes = texts.codes.map((block) => Uint16Array.from(block))
      addCodes(this.#table, i, codes, texts.texts ?? undefined, facts.columns[i].texts)
    }
    for (const report of reports) this.#table.report(report)
    this.#table.end(facts)
  }

  numbers(column: number): Iterable<number> | null {
    const { numbers } = this.#own.builders[column]
    return numbers && { [Symbol.iterator]: () => valuesOf(numbers, new Float64Array()) }
  }

  isWatched(column: number): boolean {
    return this.#table.form.watched[column] === 1
  }
}

function inOrderOfFile(one: OddCell, other: OddCell): number {
  return one.record - other.record || one.column - other.column
}

/** Codes of a part as codes of the whole. @param own texts of the part @param all of the whole; undefined where there are too many */
function addCodes(
  table: NativeTable,
  column: number,
  blocks: readonly Uint16Array[],
  own: readonly string[] = [],
  all?: readonly string[],
): void {
  if (all === undefined) return
  const positions = new Map(all.map((text, i) => [text, i + 1]))
  const codes = Uint16Array.from([0, ...own.map((text) => positions.get(text) ?? 0)])
  for (const block of blocks) {
    table.addCodes(
      column,
      block.map((code) => codes[code]),
    )
  }
}

function* valuesOf(
  blocks: { readonly length: number; at(row: number): number },
  rest: Float64Array,
): Generator<number> {
  for (let row = 0; row < blocks.length; row++) yield blocks.at(row)
  yield* rest
}
