import type { Dataset } from './dataset'

type Numbering = Pick<Dataset, 'firstRecord' | 'leftOutRecords' | 'blankRecords'>

/**
 * The 1-based record number in the file of a row of the dataset: header, preamble, blank lines and left-out
 * records are counted. Cost O(log² of the records left out).
 */
export function fileRow(dataset: Numbering, row: number): number {
  const { firstRecord, leftOutRecords, blankRecords } = dataset
  let low = firstRecord + row
  let high = low + leftOutRecords.length + blankRecords.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const skipped = countUpTo(leftOutRecords, middle) + countUpTo(blankRecords, middle)
    if (middle - firstRecord - skipped < row) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: Uint32Array, limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] <= limit) low = middle + 1
    else high = middle
  }
  return low
}
