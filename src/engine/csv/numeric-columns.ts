import { classify } from './number'
import type { Records } from './sample'

/** Columns in which most of the cells that are not missing are numbers, by index. */
export function numericColumns(rows: Records, width: number, decimal: '.' | ','): readonly number[] {
  const numbers = new Int32Array(width)
  for (const cells of rows) {
    if (cells.length < width) continue
    for (let column = 0; column < width; column++) {
      const kind = classify(cells[column], decimal)
      if (kind === 'number') numbers[column]++
      else if (kind === 'other') numbers[column]--
    }
  }
  return [...numbers.keys()].filter((column) => numbers[column] > 0)
}
