import { maxTitleRows, type Dialect } from '@shared/dataset'
import { detectHeader } from './header'
import { isMissingMark, parseNumber } from './number'
import { endsWithDelimiter } from './row-like'
import { commonWidth, type Records } from './sample'

/**
 * How many records at the beginning are a title above the table: they have fewer cells than its rows or a single
 * one that is filled, and a header follows, or each is a sentence of several words.
 */
export function countTitles(records: Records, decimal: Dialect['decimal']): number {
  const { width, share } = commonWidth(records)
  if (width < 2 || share < 0.5) return 0
  const isRow = (cells: readonly string[]) =>
    (cells.length === width || endsWithDelimiter(cells, width)) && filled(cells).length > 1
  const above = records.findIndex(isRow)
  if (above < 1 || above > maxTitleRows) return 0
  const titles = records.slice(0, above)
  const hasHeader = detectHeader(records.slice(above), decimal).value
  return hasHeader || titles.every((cells) => isSentence(cells, decimal)) ? above : 0
}

function filled(cells: readonly string[]): string[] {
  return cells.filter((cell) => !isMissingMark(cell))
}

function isSentence(cells: readonly string[], decimal: Dialect['decimal']): boolean {
  const words = filled(cells)
  return words.length === 1 && /\S\s+\S/.test(words[0]) && parseNumber(words[0], decimal) === null
}
