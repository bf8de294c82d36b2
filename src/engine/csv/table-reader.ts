/**
 * Turns text into records, block by block. The seam a faster reader can join: it knows nothing of files,
 * encodings or types.
 */
export interface TableReader {
  /**
   * Records that are complete with this text, in order; blank lines come as `['']`. What is incomplete waits
   * for the next call; `last` ends the text.
   * @throws UnclosedQuote at the end, or when a quoted cell grows beyond reason.
   */
  push(text: string, last: boolean): readonly (readonly string[])[]
}

/** A quote was opened in this record (0-based, counted from the first record read) and never closed. */
export class UnclosedQuote extends Error {
  constructor(readonly index: number) {
    super(`quote opened in record ${index} is never closed`)
  }
}

export type Newline = '\n' | '\r' | '\r\n'

/** Line ends as the first lines have them. */
export function detectNewline(sample: string): Newline {
  const line = sample.search(/[\r\n]/)
  if (line < 0 || sample[line] === '\n') return '\n'
  return sample[line + 1] === '\n' ? '\r\n' : '\r'
}
