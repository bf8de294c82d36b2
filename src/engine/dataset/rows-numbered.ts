import { invalidArgument } from '@shared/errors'
import { parseRowRanges } from '@shared/row-filter/row-ranges'
import type { Dataset } from './dataset'
import { fileRow } from './file-row'
import type { RowTest } from './row-condition'

/**
 * A test whether a row's number in the file is among some. Cost O(ranges log² left-out), then O(1) a row; a bit a row.
 * @param numbers as `rowRanges` writes them
 */
export function rowsNumbered(dataset: Dataset, numbers: string): RowTest {
  const ranges = parseRowRanges(numbers)
  if (ranges === null) throw invalidArgument('row numbers such as 2-51,60', 'a filter', numbers)
  const bits = new Uint8Array(Math.ceil(dataset.rows / 8))
  for (const [i, from] of ranges.first.entries()) {
    const end = firstRowFrom(dataset, ranges.last[i] + 1)
    setBits(bits, firstRowFrom(dataset, from), end)
  }
  return (row) => (bits[row >>> 3] & (1 << (row & 7))) !== 0
}

function setBits(bits: Uint8Array, from: number, end: number): void {
  for (let row = from; row < end; row++) {
    if ((row & 7) === 0 && row + 8 <= end) {
      bits.fill(255, row >>> 3, end >>> 3)
      row = (end & ~7) - 1
    } else bits[row >>> 3] |= 1 << (row & 7)
  }
}

/** The first row of the dataset whose number in the file is at least `number`. */
export function firstRowFrom(dataset: Dataset, number: number): number {
  let low = 0
  let high = Math.min(dataset.rows, Math.max(0, number - dataset.firstRecord + 1))
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (fileRow(dataset, middle) < number) low = middle + 1
    else high = middle
  }
  return low
}
