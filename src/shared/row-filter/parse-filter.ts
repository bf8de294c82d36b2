import { badFilter, filterTokens, type FilterToken } from './filter-tokens'
import { filterWords } from './filter-text'
import { parseRowRanges, textOfRanges } from './row-ranges'
import {
  comparisons,
  maxConditions,
  type Comparison,
  type Condition,
  type ConditionGroup,
  type Join,
  type RowFilter,
} from './row-filter'

/** Conditions as they are nested in the text. */
interface Node {
  readonly join: Join
  readonly parts: readonly (Condition | Node)[]
  readonly at: number
}

/**
 * Reads a filter as a person writes it: `height > 1.5 and (class = a or class = b)`. `and` binds before `or`; words and
 * column names with blanks, signs or a meaning of their own stand in quotes.
 * @throws LabError `filter.text`: one sentence with the character where it cannot be read
 */
export function parseFilter(text: string): RowFilter {
  return new FilterParser(filterTokens(text)).parse()
}

class FilterParser {
  readonly #tokens: readonly FilterToken[]
  #next = 0
  #conditions = 0

  constructor(tokens: readonly FilterToken[]) {
    this.#tokens = tokens
  }

  parse(): RowFilter {
    const first = this.#token
    if (first.kind === 'end') throw badFilter('there is no condition', first.at)
    const whole = this.#anyOf()
    const last = this.#token
    if (last.kind === 'end') return shallow(whole)
    throw badFilter(`${said(last)} is there where 'and', 'or' or the end is expected`, last.at)
  }

  get #token(): FilterToken {
    return this.#tokens[this.#next]
  }

  #anyOf(): Node {
    return this.#joined('any', 'or', () => this.#allOf())
  }

  #allOf(): Node {
    return this.#joined('all', 'and', () => this.#factor())
  }

  #joined(join: Join, between: string, part: () => Condition | Node): Node {
    const { at } = this.#token
    const parts = [part()]
    while (this.#takes(between)) parts.push(part())
    return { join, parts, at }
  }

  #factor(): Condition | Node {
    const { at } = this.#token
    if (!this.#takes('(')) return this.#condition()
    const inside = this.#anyOf()
    if (!this.#takes(')')) throw badFilter(`the bracket is not closed`, at)
    return { ...inside, at }
  }

  #condition(): Condition {
    if (++this.#conditions > maxConditions) {
      throw badFilter(`there are more than ${maxConditions} conditions`, this.#token.at)
    }
    const rows = this.#rows()
    if (rows !== null) return rows
    const column = this.#value('the name of a column')
    const comparison = this.#comparison()
    if (comparison !== null) return { kind: 'compare', column, comparison, value: this.#value('a value') }
    if (this.#takes('between')) return this.#between(column)
    if (this.#takes('contains')) return { kind: 'contains', column, text: this.#value('a text') }
    if (this.#takes('in')) return { kind: 'one-of', column, values: this.#list() }
    if (this.#takes('is')) return { kind: this.#missing(), column }
    const expected = "a comparison (= != < <= > >=), 'between', 'in', 'contains' or 'is missing'"
    throw badFilter(`${said(this.#token)} is there where ${expected} is expected`, this.#token.at)
  }

  /** `rows(2-51, 60)` or `not rows(...)`; null where something else stands there. */
  #rows(): Condition | null {
    const isNot = this.#token.text.toLowerCase() === 'not' ? 1 : 0
    const [word, bracket] = this.#tokens.slice(this.#next + isNot, this.#next + isNot + 2)
    const isRows = word?.kind === 'word' && word.text.toLowerCase() === 'rows' && bracket?.text === '('
    if (!isRows || bracket.kind !== 'sign') return null
    this.#next += isNot + 2
    const numbers = [this.#value('a row number')]
    while (this.#takes(',')) numbers.push(this.#value('a row number'))
    if (!this.#takes(')')) throw badFilter('the list of rows is not closed', bracket.at)
    const ranges = parseRowRanges(numbers.join(','))
    if (ranges === null) throw badFilter("rows are numbers and ranges, as in rows(2-51, 60)", bracket.at)
    return { kind: isNot ? 'not-rows' : 'rows', numbers: textOfRanges(ranges) }
  }

  #comparison(): Comparison | null {
    const { kind, text } = this.#token
    const found = kind === 'sign' ? comparisons.find((one) => one === text) : undefined
    if (found === undefined) return null
    this.#next++
    return found
  }

  #between(column: string): Condition {
    const low = this.#value('a number')
    if (!this.#takes('and')) {
      throw badFilter(`${said(this.#token)} is there where 'and' is expected`, this.#token.at)
    }
    return { kind: 'between', column, low, high: this.#value('a number') }
  }

  #list(): readonly string[] {
    const { at } = this.#token
    if (!this.#takes('(')) throw badFilter("'in' is followed by values in brackets, as in (a, b)", at)
    const values = [this.#value('a value')]
    while (this.#takes(',')) values.push(this.#value('a value'))
    if (!this.#takes(')')) throw badFilter('the list of values is not closed', at)
    return values
  }

  #missing(): 'missing' | 'present' {
    const isNot = this.#takes('not')
    if (this.#takes('missing')) return isNot ? 'present' : 'missing'
    throw badFilter(`'is' is followed by 'missing' or 'not missing'`, this.#token.at)
  }

  /** A word or what stands in quotes. */
  #value(what: string): string {
    const token = this.#token
    const isWord = token.kind === 'word' && !filterWords.some((one) => one === token.text.toLowerCase())
    if (!isWord && token.kind !== 'quoted') {
      throw badFilter(`${said(token)} is there where ${what} is expected`, token.at)
    }
    this.#next++
    return token.text
  }

  /** Goes on behind a sign, or a word in any case, if it is there. */
  #takes(wanted: string): boolean {
    const { kind, text } = this.#token
    if (kind !== 'sign' && kind !== 'word') return false
    if (text.toLowerCase() !== wanted) return false
    this.#next++
    return true
  }
}

function said({ kind, text }: FilterToken): string {
  return kind === 'end' ? 'the end' : `'${text}'`
}

/** Brackets and joins that change nothing go. @throws LabError where groups are left within groups */
function shallow(whole: Node): RowFilter {
  const { join, parts } = flat(whole)
  return { join, parts: parts.map((part) => ('kind' in part ? part : group(part))) }
}

function group({ join, parts, at }: Node): ConditionGroup {
  const conditions = parts.filter((part) => 'kind' in part)
  if (conditions.length === parts.length) return { join, conditions }
  throw badFilter('brackets within brackets are not understood: one level of them is enough', at)
}

/** Parts that are joined in the same way become those of the whole; a group of one is what is in it. */
function flat(node: Node): Node {
  const parts = node.parts.flatMap((part) => {
    if ('kind' in part) return [part]
    const inside = flat(part)
    return inside.join === node.join || inside.parts.length === 1 ? inside.parts : [inside]
  })
  const [only] = parts
  if (parts.length === 1 && !('kind' in only)) return only
  return { ...node, join: parts.length === 1 ? 'all' : node.join, parts }
}
