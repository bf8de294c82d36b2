import { printable } from '@shared/printable'

/** Four significant digits for reading; whole numbers and large ones keep the digits before the point. */
export function shortNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  if (Math.abs(value) >= 1e4 && Math.abs(value) < 1e15) return String(Math.round(value))
  return String(Number(value.toPrecision(4)))
}

/** Digits that tell any two float64 apart. */
const allDigits = 17

/** Numbers of one column for reading, with as many digits as it takes to tell different ones apart; `-` for none. */
export function distinctNumbers(values: readonly (number | null)[]): string[] {
  const numbers = values.filter((value) => value !== null)
  const different = new Set(numbers).size
  const isApart = (text: (value: number) => string) => new Set(numbers.map(text)).size === different
  let text = shortNumber
  for (let digits = 5; digits <= allDigits && !isApart(text); digits++) {
    text = (value) => String(Number(value.toPrecision(digits)))
  }
  return values.map((value) => (value === null ? '-' : text(value)))
}

/** Milliseconds for reading; null where it was not timed apart. */
export function shortMs(ms: number | null): string {
  return ms === null ? '-' : `${shortNumber(ms)} ms`
}

/**
 * Rows under their header, columns two blanks apart.
 * @param words names of the columns that stand to the left; numbers stand to the right
 */
export function textTable(
  names: readonly string[],
  cells: readonly (readonly string[])[],
  words: readonly string[] = [],
): string {
  const header = names.map(printable)
  const rows = cells.map((row) => row.map(printable))
  // One by one: a long history has more rows than a call takes arguments.
  const widths = header.map((name, c) =>
    rows.reduce((width, row) => Math.max(width, row[c].length), name.length),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, c) => (words.includes(header[c]) ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join('  ')
      .trimEnd()
  return [header, ...rows].map((cells) => `${line(cells)}\n`).join('')
}
