import type { FileHandle } from 'node:fs/promises'
import { readerFrom, tableReader } from '../csv/reader'
import type { Dataset } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import { readInto } from '../formats/read-at'
import type { Slices } from '../slices'
import { RecordPlaces, textOf, type Place } from './record-places'
import type { ColumnRange, Cells } from './row-cells'

/** Cells of rows out of a file of text, each read from where its record stands. */
export class TextCells {
  readonly #dataset: Dataset
  readonly #places: RecordPlaces

  /** @param size bytes of the text */
  constructor(dataset: Dataset, size: number) {
    this.#dataset = dataset
    this.#places = new RecordPlaces(size, dataset)
  }

  /**
   * Cells of rows in the order asked for; null in place of those whose record the file does not have.
   * @param handle of the text
   * @throws RangeError where the file is shorter than it was, LabError `cancelled`
   */
  async of(
    handle: FileHandle,
    rows: readonly number[],
    { first, end }: ColumnRange,
    slices: Slices,
  ): Promise<(Cells | null)[]> {
    const wanted = rows.map((row, at) => ({ at, record: fileRow(this.#dataset, row) }))
    wanted.sort((a, b) => a.record - b.record)
    const answers = new Array<Cells | null>(rows.length).fill(null)
    let place: Place | null = null
    let records: readonly (readonly string[])[] = []
    for (const { at, record } of wanted) {
      const next: Place | null = await this.#places.of(handle, record, slices)
      if (next === null) continue
      if (next.record !== place?.record) records = await this.#recordsOf(handle, next)
      place = next
      const cells = records.at(record - next.record)
      if (cells === undefined) continue
      answers[at] = Array.from({ length: end - first }, (_, i) => cells[first + i] ?? null)
      await slices.next()
    }
    return answers
  }

  async #recordsOf(handle: FileHandle, { offset, end, record }: Place) {
    const bytes = Buffer.alloc(end - offset)
    await readInto(handle, offset, bytes)
    const { form } = this.#dataset
    const reader = offset === 0 ? tableReader({ form }) : readerFrom(record, { form })
    const text = textOf(bytes, this.#dataset, offset === 0)
    // No text that was loaded has one.
    if (text.includes('\0')) throw new RangeError(`There is a NUL character behind byte ${offset}.`)
    return reader.push(text, true)
  }
}
