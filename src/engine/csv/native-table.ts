import {
  oddKinds,
  type NativeBatch,
  type NativeTableFacts,
  type NativeTableForm,
} from '../engines/native-addon/table-reader'
import { namesRows } from './column-type'
import { NativeColumn } from './native-column'
import type { TableBuilder } from './table-builder'

/** A cell that a sentence may be about. */
interface OddCell {
  readonly record: number
  readonly column: number
  readonly kind: (typeof oddKinds)[number]
  readonly cell: string
}

/** Hands over to a table what the CPU addon reads of its file. */
export class NativeTable {
  readonly #table: TableBuilder
  readonly #columns: readonly NativeColumn[]

  constructor(table: TableBuilder) {
    this.#table = table
    this.#columns = table.builders.map(({ decided }) => new NativeColumn(decided))
  }

  get form(): Pick<NativeTableForm, 'kept' | 'watched'> {
    const decided = this.#columns.map((column) => column.decided)
    return {
      kept: Uint8Array.from(decided, ({ keepsNumbers }) => Number(keepsNumbers)),
      watched: Uint8Array.from(decided, ({ keepsNumbers, name }) => Number(keepsNumbers && namesRows(name))),
    }
  }

  take(batch: NativeBatch): void {
    const { pieces, blocks, blank } = batch
    for (let at = 0; at < blocks.length; at += 5) {
      const [column, scale, piece, offset, length] = blocks.subarray(at, at + 5)
      const bytes = pieces[piece]
      const values =
        scale === 0
          ? new Float64Array(bytes, offset, length / Float64Array.BYTES_PER_ELEMENT)
          : new Int32Array(bytes, offset, length / Int32Array.BYTES_PER_ELEMENT)
      this.#columns[column].addBlock(values, scale === 0 ? 1 : scale)
    }
    for (let at = 0; at < batch.codes.length; at += 3) {
      const [column, offset, rows] = batch.codes.subarray(at, at + 3)
      this.#columns[column].addCodes(new Uint16Array(batch.codeBytes, offset, rows))
    }
    for (const record of blank) this.#table.blank(record)
    this.#report(batch)
    this.#table.rows = batch.rows
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
  #report({ ragged, odd, texts }: NativeBatch): void {
    let at = 0
    const leaveOutBefore = (record: number) => {
      for (; at < ragged.length && ragged[at] < record; at += 2) {
        this.#table.leaveOut(ragged[at], ragged[at + 1])
      }
    }
    for (let i = 0; i < odd.length; i += 5) {
      const [record, column, kind, offset, length] = odd.subarray(i, i + 5)
      leaveOutBefore(record)
      this.#odd({
        ...{ record, column, kind: oddKinds[kind] },
        cell: texts.toString('utf8', offset, offset + length),
      })
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
