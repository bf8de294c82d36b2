/** What a cell is, where a number is expected. */
export type CellKind = 'number' | 'missing' | 'infinite' | 'other'

const missingMarks = new Set(['', 'na', 'nan', 'null', '?', '-'])
const infinities = new Set(['inf', '+inf', '-inf', 'infinity', '+infinity', '-infinity'])
const pointNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const commaNumber = /^[+-]?(?:\d+,?\d*|,\d+)(?:e[+-]?\d+)?$/i

/** The value of the last cell that `classify` called a number. One slot: no object per cell. */
let parsed = 0

/** Is the cell empty or one of the missing marks of spec section 2? */
export function isMissingMark(cell: string): boolean {
  return cell.length <= 4 && missingMarks.has(cell.trim().toLowerCase())
}

/**
 * Reads a cell. No grouping of thousands, no hexadecimal; infinite values and those beyond float64 (`1e400`)
 * are `infinite` and count as missing.
 */
export function classify(cell: string, decimal: '.' | ','): CellKind {
  if (decimal === '.' && plainStart(cell)) {
    parsed = Number(cell)
    if (Number.isFinite(parsed)) return 'number'
  }
  return classifyText(cell.trim(), decimal)
}

/**
 * A digit, or a minus sign or point before one, and no letter that Number would take for a base (`0x1f`): then
 * Number reads what the pattern would allow, at a fraction of the cost.
 */
function plainStart(cell: string): boolean {
  const first = cell.charCodeAt(0)
  const second = cell.charCodeAt(1)
  if (second > 57 && second !== 69 && second !== 101) return false
  return (first >= 48 && first <= 57) || ((first === 45 || first === 46) && second >= 48)
}

function classifyText(text: string, decimal: '.' | ','): CellKind {
  const written = decimal === ',' ? commaNumber : pointNumber
  if (written.test(text)) {
    parsed = Number(decimal === ',' ? text.replace(',', '.') : text)
    return Number.isFinite(parsed) ? 'number' : 'infinite'
  }
  if (isMissingMark(text)) return 'missing'
  return infinities.has(text.toLowerCase()) ? 'infinite' : 'other'
}

/** The value of the cell last classified as `number`. */
export function lastNumber(): number {
  return parsed
}

/** The finite number a cell holds, or null. */
export function parseNumber(cell: string, decimal: '.' | ','): number | null {
  return classify(cell, decimal) === 'number' ? parsed : null
}
