import { LabError } from '../errors'
import { endsWord } from './filter-text'

/** One piece of a filter as it is written. */
export interface FilterToken {
  readonly kind: 'word' | 'quoted' | 'sign' | 'end'
  /** Without quotes; signs in one spelling. */
  readonly text: string
  /** 1-based, of its first character. */
  readonly at: number
}

const signs: Readonly<Record<string, string>> = {
  ...{ '(': '(', ')': ')', ',': ',', '=': '=', '==': '=', '!=': '!=', '<>': '!=', '≠': '!=' },
  ...{ '<': '<', '<=': '<=', '≤': '<=', '>': '>', '>=': '>=', '≥': '>=' },
}

/** Cuts a filter apart; the last piece is the end. @throws LabError `filter.text` with the place of a quote or a sign */
export function filterTokens(text: string): readonly FilterToken[] {
  const tokens: FilterToken[] = []
  let at = 0
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++
    if (at === text.length) return [...tokens, { kind: 'end', text: '', at: at + 1 }]
    const { token, next } = tokenAt(text, at)
    tokens.push(token)
    at = next
  }
}

interface Cut {
  readonly token: FilterToken
  readonly next: number
}

function tokenAt(text: string, at: number): Cut {
  const first = text[at]
  if (first === '"' || first === "'") return quotedAt(text, at, first)
  const sign = [text.slice(at, at + 2), first].find((piece) => piece in signs)
  if (sign !== undefined) {
    return { token: { kind: 'sign', text: signs[sign], at: at + 1 }, next: at + sign.length }
  }
  if (first === '!') throw badFilter(`'!' is no comparison: write != for other than`, at + 1)
  let next = at
  while (next < text.length && !endsWord.test(text[next])) next++
  return { token: { kind: 'word', text: text.slice(at, next), at: at + 1 }, next }
}

/** Up to the quote that closes it; two of them stand for one. */
function quotedAt(text: string, at: number, quote: string): Cut {
  let inside = ''
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] !== quote) inside += text[next]
    else if (text[next + 1] === quote) inside += text[next++]
    else return { token: { kind: 'quoted', text: inside, at: at + 1 }, next: next + 1 }
  }
  throw badFilter(`the quote ${quote} is not closed`, at + 1)
}

/** @param at 1-based character of the filter */
export function badFilter(what: string, at: number): LabError {
  return new LabError('input', 'filter.text', `The filter cannot be read at character ${at}: ${what}.`)
}
