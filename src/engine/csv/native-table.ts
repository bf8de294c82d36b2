import {
  oddKinds,
  type NativeBatch,
  type NativeTableFacts,
  type NativeTableForm,
} from '../engines/native-addon/table-reader'
import type { NumberBlocks } from '../dataset/number-blocks'
import { namesRows } from './column-type'
import { NativeColumn } from './native-column'
import type { TableBuilder } from './table-builder'

/** What one stretch of a file brought beside its rows. */
export interface BatchReport extends Pick<NativeBatch, 'blank' | 'ragged'> {
  /** In the order of the file. */
  readonly odd: readonly OddCell[]
}

export function reportOf({ blank, ragged, odd, texts }: NativeBatch): BatchReport {
  const cells = Array.from({ length: odd.length / 5 }, (_, i) => {
    const [record, column, kind, offset, length] = odd.subarray(5 * i, 5 * i + 5)
    return { record, column, kind: oddKinds[kind], cell: texts.toString('utf8', offset, offset + length) }
  })
  return { blank, ragged, odd: cells }
}

/** Codes of further rows, by column. */
export function codesOf({ codes, codeBytes }: NativeBatch): readonly (readonly [number, Uint16Array])[] {
  return Array.from({ length: codes.length / 3 }, (_, i) => {
    const [column, offset, rows] = codes.subarray(3 * i, 3 * i + 3)
    return [column, new Uint16Array(codeBytes, offset, rows)] as const
  })
}

/** A cell that a sentence may be about. */
export interface OddCell {
  readonly record: number
  readonly column: number
  readonly kind: (typeof oddKinds)[number]
  readonly cell: string
}

/** Hands over to a table what the CPU addon reads of its file. */
export class NativeTable {
  readonly #table: TableBuilder
  readonly #columns: readonly NativeColumn[]

  /** @param held numbers of columns that another reader has already, null for the others */
  constructor(table: TableBuilder, held: readonly (NumberBlocks | null)[] = []) {
    this.#table = table
    this.#columns = table.builders.map(({ decided }, i) => new NativeColumn(decided, held.at(i) ?? null))
  }

  get form(): Pick<NativeTableForm, 'kept' | 'watched'> {
    const decided = this.#columns.map((column) => column.decided)
    return {
      kept: Uint8Array.from(decided, ({ keepsNumbers }) => Number(keepsNumbers)),
      watched: Uint8Array.from(decided, ({ keepsNumbers, name }) => Number(keepsNumbers && namesRows(name))),
    }
  }

  take(batch: NativeBatch): void {
    this.takeBlocks(batch)
    for (const [column, codes] of codesOf(batch)) this.addCodes(column, codes)
    this.report(reportOf(batch))
    this.#table.rows = batch.rows
  }

  takeBlocks({ pieces, blocks }: NativeBatch): void {
    for (let at = 0; at < blocks.length; at += 5) {
      const [column, scale, piece, offset, length] = blocks.subarray(at, at + 5)
      const bytes = pieces[piece]
      const values =
        scale === 0
          ? new Float64Array(bytes, offset, length / Float64Array.BYTES_PER_ELEMENT)
          : new Int32Array(bytes, offset, length / Int32Array.BYTES_PER_ELEMENT)
      this.#columns[column].addBlock(values, scale === 0 ? 1 : scale)
    }
  }

  addCodes(column: number, codes: Uint16Array): void {
    this.#columns[column].addCodes(codes)
  }

  get columns(): readonly NativeColumn[] {
    return this.#columns
  }

  end({ rows, records, lineEnds, columns }: NativeTableFacts): void {
    for (const [i, column] of this.#columns.entries()) column.end(columns[i], rows)
    const kept = columns.filter((_, i) => this.#columns[i].decided.keepsNumbers)
    const infiniteCells = kept.reduce((sum, { infinite }) => sum + infinite, 0)
    this.#table.readElsewhere({ columns: this.#columns, rows, records, infiniteCells })
    const [lf, crlf, cr] = lineEnds
    this.#table.warnings.lineEnds({ lf, crlf, cr })
  }

  /** Records that are left out and cells that are not plain, in the order of the file. */
  report({ blank, ragged, odd }: BatchReport): void {
    for (const record of blank) this.#table.blank(record)
    let at = 0
    const leaveOutBefore = (record: number) => {
      for (; at < ragged.length && ragged[at] < record; at += 2) {
        this.#table.leaveOut(ragged[at], ragged[at + 1])
      }
    }
    for (const cell of odd) {
      leaveOutBefore(cell.record)
      this.#odd(cell)
    }
    leaveOutBefore(Infinity)
  }

  #odd({ record, column, kind, cell }: OddCell): void {
    const of = this.#columns[column]
    if (kind === 'coarse') {
      of.coarse(cell, record)
      return
    }
    of.odd(cell, record, kind)
    if (of.decided.keepsNumbers) this.#table.note(record, column, cell, kind)
  }
}
