import type { Delimiter } from '@shared/dataset'
import { found, type Found } from './evidence'
import { classify, isMissingMark } from './number'
import { hasWidth } from './row-like'
import { commonWidth, type Records } from './sample'

/** Which mark stands before the fractions, from the cells of the sample. */
export function detectDecimal(records: Records, delimiter: Delimiter): Found<'.' | ','> {
  if (delimiter === ',') return found('.', 'The comma separates the cells.')
  const cells = records.flat()
  const count = (mark: '.' | ',') =>
    cells.filter((cell) => cell.includes(mark) && classify(cell, mark) === 'number').length
  const commas = count(',')
  const points = count('.')
  if (commas === 0 && points === 0) return found('.', 'No sampled cell has a decimal mark.')
  if (commas === 0) return found('.', `${points} sampled cells have a decimal point.`)
  if (points === 0) return found(',', `${commas} sampled cells have a decimal comma.`)
  const because = `${commas} sampled cells have a decimal comma and ${points} a decimal point.`
  return found(commas > points ? ',' : '.', because, true)
}

/** Is the first record a row of names? */
export function detectHeader(records: Records, decimal: '.' | ','): Found<boolean> {
  const [first, ...rest] = records
  if (first === undefined) return found(false, 'The file has no rows.')
  const isValue = (cell: string) => classify(cell, decimal) !== 'other' && !isMissingMark(cell)
  const numeric = (column: number) => {
    const cells = rest.map((row) => row[column] ?? '').filter((cell) => !isMissingMark(cell))
    return cells.length > 0 && cells.filter(isValue).length * 2 > cells.length
  }
  const named = first.filter((cell, column) => !isValue(cell) && !isMissingMark(cell) && numeric(column))
  if (named.length > 0 && first.some(isValue)) return mixed(records, named[0])
  if (years(first, isValue)) return found(true, 'The first row holds years beside words.', true)
  if (first.some(isValue)) return found(false, 'The first row holds numbers.')
  if (named.length > 0) return found(true, 'The first row holds words above columns with numbers.')
  return found(true, 'No column holds numbers, so the first row is taken for names.', rest.length > 0)
}

/** Numbers beside a name in the first row, as in `age,2019,2020`, or a gap in the data: only names never repeat. */
function mixed([first, ...rest]: Records, name: string): Found<boolean> {
  if (rest.length > 1 && !hasWidth(first, commonWidth(rest).width))
    return found(false, 'The first row holds numbers and has another number of cells than most.', true)
  const distinct = new Set(first).size === first.length
  if (!distinct) return found(false, 'The first row holds numbers, some of them twice.', true)
  return found(true, `The first row has '${name.trim()}' above a column with numbers.`, true)
}

/** Years as names beside others, as in `country,2019,2020`. */
function years(first: readonly string[], isValue: (cell: string) => boolean): boolean {
  const numbers = first.filter(isValue)
  const apart = new Set(first).size === first.length
  const words = numbers.length < first.length
  return (
    words && apart && numbers.length > 1 && numbers.every((cell) => /^\s*(1[89]|20|21)\d\d\s*$/.test(cell))
  )
}
