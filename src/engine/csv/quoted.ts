/**
 * The first quote at `from` or behind it that is not one of a doubled pair, for a reader that stands within a
 * quoted cell. -1 when there is none before the end of the text.
 */
export function singleQuote(text: string, quote: string, from: number): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 2)) {
    if (text[at + 1] !== quote) return at
  }
  return -1
}

/** The text of a quoted cell, from behind its opening quote to its closing one; doubled quotes are one. */
export function unquoted(text: string, from: number, to: number, quote: string): string {
  const inner = text.slice(from, to)
  return inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner
}
