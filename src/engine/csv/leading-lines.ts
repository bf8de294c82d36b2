import { delimiters, type Delimiter } from '@shared/dataset'
import { LineScanner } from './line-scanner'

/** Lines above the table that are no records. */
export interface LeadingLines {
  readonly count: number
  /** All of them. */
  readonly lines: readonly string[]
  /** Of them, where the first comment stands, and how many there are. */
  readonly comments: { readonly first: number; readonly count: number } | null
  /** The last comment, which may hold the names of the columns. */
  readonly lastComment: string | null
  /** What `sep=` in the first line says: a delimiter, or a character that is none. */
  readonly separator: string | null
}

/** Lines looked at: a preamble is no novel. */
const maxLines = 1000

const comment = /^\s*(#|%|\/\/)/
const separatorLine = /^"?sep=(.)"?\s*$/i

/** Finds `sep=;` in the first line, as Excel writes it, and lines that begin as comments do, above the table. */
export function findLeadingLines(text: string): LeadingLines {
  const lines = firstLines(text)
  const separator = separatorLine.exec(lines.at(0) ?? '')?.at(1) ?? null
  const stated = separator === null ? 0 : 1
  const comments = commentsAbove(lines, stated)
  const last = comments.at(-1)
  const count = last === undefined ? stated : last + 1
  return {
    count,
    lines: lines.slice(0, count),
    comments: last === undefined ? null : { first: comments[0] + 1, count: comments.length },
    lastComment: last === undefined ? null : lines[last],
    separator,
  }
}

/** Where the comments stand; where nothing else stands below them, they are the table. */
function commentsAbove(lines: readonly string[], from: number): readonly number[] {
  const comments: number[] = []
  for (let line = from; line < lines.length; line++) {
    if (comment.test(lines[line])) comments.push(line)
    else if (lines[line].trim() !== '') return comments
  }
  return []
}

export function delimiterOf(separator: string | null): Delimiter | null {
  return delimiters.find((delimiter) => delimiter === separator) ?? null
}

/** The text behind its first lines. */
export function behindLines(text: string, count: number): string {
  const lines = new LineScanner(text, true)
  let at = 0
  for (let left = count; left > 0; left--) at = lines.after(lines.end(at))
  return text.slice(at)
}

function firstLines(text: string): string[] {
  const lines = new LineScanner(text, true)
  const found: string[] = []
  for (let at = 0; at < text.length && found.length < maxLines;) {
    const end = lines.end(at)
    const line = text.slice(at, end)
    found.push(line)
    if (found.length > 1 && line.trim() !== '' && !comment.test(line)) break
    at = lines.after(end)
  }
  return found
}
