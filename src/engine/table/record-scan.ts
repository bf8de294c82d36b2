import type { Dialect } from '@shared/dataset'

/** Code units of a file: bytes, or those of UTF-16. */
export type Units = Uint8Array | Uint16Array

const feed = 10
const carriage = 13

/** What it takes to know a record that stands in one line. */
export interface LineForm {
  /** 0 where quotes do not matter: a record is a line. */
  readonly quote: number
  readonly delimiter: number
}

export function lineFormOf({ format, quote, delimiter }: Dialect): LineForm {
  const isBlanks = format === 'headed' || delimiter === ' '
  return { quote: isBlanks || quote === '' ? 0 : quote.charCodeAt(0), delimiter: delimiter.charCodeAt(0) }
}

/**
 * Where the line ends that begins at `at` and is a record by itself: behind its line end. -1 where it is not understood: a quoted
 * cell that goes on behind it or is doubtful, no line end.
 * @param units whole lines: a carriage return at their end is a line end
 */
export function simpleLineEnd(units: Units, at: number, { quote, delimiter }: LineForm): number {
  const { length } = units
  let isCellStart = true
  for (let i = at; i < length; i++) {
    const unit = units[i]
    if (unit === feed) return i + 1
    if (unit === carriage) return units[i + 1] === feed ? i + 2 : i + 1
    if (unit === quote && quote !== 0) {
      if (!isCellStart) return -1
      i = closingQuote(units, i + 1, quote)
      if (i < 0) return -1
      const next = units[i + 1]
      if (next !== delimiter && next !== feed && next !== carriage) return -1
      isCellStart = false
    } else isCellStart = unit === delimiter
  }
  return -1
}

/** The quote that closes a cell, two of them standing for one; -1 where the line ends first. */
function closingQuote(units: Units, from: number, quote: number): number {
  for (let i = from; i < units.length; i++) {
    const unit = units[i]
    if (unit === feed || unit === carriage) return -1
    if (unit !== quote) continue
    if (units[i + 1] !== quote) return i
    i++
  }
  return -1
}

/** Behind the last line end that is known to be one; 0 where there is none. */
export function behindLastLine(units: Units): number {
  const behind = units.lastIndexOf(feed) + 1
  if (behind > 0 || units.length < 2) return behind
  // A carriage return at the very end may be half of one.
  return units.lastIndexOf(carriage, units.length - 2) + 1
}

/** Behind the first line end at `from` or behind it, else the end. */
export function lineBehind(units: Units, from: number): number {
  const isThere = from < units.length
  const at = isThere ? units.indexOf(feed, from) : -1
  if (at >= 0 || !isThere) return at < 0 ? units.length : at + 1
  const other = units.indexOf(carriage, from)
  return other < 0 ? units.length : other + 1
}
