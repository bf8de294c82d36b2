/** What a cell is, where a number is expected. */
export type CellKind = 'number' | 'missing' | 'infinite' | 'other'

const missingMarks = new Set(['', 'na', 'nan', 'null', '?', '-'])
const infinities = new Set(['inf', '+inf', '-inf', 'infinity', '+infinity', '-infinity'])
const pointNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const commaNumber = /^[+-]?(?:\d+(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i

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
  if (shortNumber(cell, decimal === '.' ? point : comma)) return 'number'
  if (decimal === '.' && plainStart(cell)) {
    parsed = Number(cell)
    if (Number.isFinite(parsed)) return 'number'
  }
  return classifyText(cell.trim(), decimal)
}

const point = 46
const comma = 44
const minus = 45

/** Ten to the power of 0..15, each exact in float64. */
const powersOfTen = Array.from({ length: 16 }, (_, power) => 10 ** power)

/**
 * Digits with at most one decimal mark, 15 digits at most: then the digits as a whole number and the power of ten
 * are exact in float64, and their one division rounds as reading the text does (Clinger 1990, the fast path).
 */
function shortNumber(cell: string, mark: number): boolean {
  const { length } = cell
  if (length === 0 || length > 17) return false
  const negative = cell.charCodeAt(0) === minus
  let whole = 0
  let digits = 0
  let before = -1
  for (let i = negative ? 1 : 0; i < length; i++) {
    const code = cell.charCodeAt(i)
    if (code >= 48 && code <= 57) {
      whole = whole * 10 + (code - 48)
      digits++
    } else if (code === mark && before < 0) before = digits
    else return false
  }
  if (digits === 0 || digits > 15) return false
  const value = before < 0 ? whole : whole / powersOfTen[digits - before]
  parsed = negative ? -value : value
  return true
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
