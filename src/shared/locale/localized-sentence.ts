/**
 * Sentences of the engine and the command line in the language of the window. They travel and are kept in English, as files and
 * records have them; the message files hold the English form as a pattern, and what fits one is said in the other language. So a
 * result of an earlier session is read in any language, and an engine's sentence needs nothing but its line there;
 * `tests/unit/every-sentence.test.ts` fails for one that has none.
 */
import benchmark from '../locales/en/sentences-benchmark'
import common from '../locales/en/common'
import data from '../locales/en/sentences-data'
import engine from '../locales/en/sentences-engine'
import general from '../locales/en/sentences'
import published from '../locales/en/sentences-published'
import regimes from '../locales/en/sentences-regimes'
import units from '../locales/en/units'
import { plural, type Unit } from '../quantity-words'
import { currentLanguage, t, type SharedKey } from './translate'

const areas = {
  common,
  sentences: general,
  'sentences-benchmark': benchmark,
  'sentences-data': data,
  'sentences-engine': engine,
  'sentences-published': published,
  'sentences-regimes': regimes,
}

interface Pattern {
  readonly key: SharedKey
  readonly matches: RegExp
  /** A stretch that every sentence of it has: what lacks it need not be matched. */
  readonly literal: string
  /** Of each group of the expression: which argument it is, and whether quotes say that it is a name, which has no language. */
  readonly groups: readonly { readonly argument: number; readonly isName: boolean }[]
  /** Letters that are not arguments: of two patterns that fit, the one that says more is meant. */
  readonly fixed: number
}

/** The format of vue-i18n: `{0}` is an argument, `{'@'}` a sign as it stands. */
const parts = /\{(\d+)\}|\{'(.)'\}/g

function patternOf(key: SharedKey, message: string): Pattern {
  const literals = ['']
  const groups: { argument: number; isName: boolean }[] = []
  let at = 0
  const add = (text: string) => (literals[literals.length - 1] += text)
  for (const found of message.matchAll(parts)) {
    add(message.slice(at, found.index))
    at = found.index + found[0].length
    if (found[1] === undefined) add(found[2] ?? '')
    else {
      groups.push({
        argument: Number(found[1]),
        isName: message[found.index - 1] === "'" && message[at] === "'",
      })
      literals.push('')
    }
  }
  add(message.slice(at))
  const escaped = literals.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return {
    key,
    matches: new RegExp(`^${escaped.join('([\\s\\S]*?)')}$`),
    literal: literals.reduce((longest, text) => (text.length > longest.length ? text : longest)),
    groups,
    fixed: literals.join('').length,
  }
}

let patterns: readonly Pattern[] | null = null

const allPatterns = (): readonly Pattern[] =>
  (patterns ??= Object.entries(areas)
    .flatMap(([area, messages]) =>
      Object.entries(messages).map(([key, message]) => patternOf(`${area}.${key}` as SharedKey, message)),
    )
    .sort((a, b) => b.fixed - a.fixed))

/** What a message says that fits a sentence, and what stands in its places; null where none fits. */
export function matchingMessage(sentence: string): {
  readonly key: SharedKey
  readonly args: readonly { readonly text: string; readonly isName: boolean }[]
} | null {
  for (const { key, matches, literal, groups } of allPatterns()) {
    if (!sentence.includes(literal)) continue
    const found = matches.exec(sentence)
    if (found === null) continue
    const args: { text: string; isName: boolean }[] = []
    groups.forEach(
      ({ argument, isName }, group) => (args[argument] = { text: found[group + 1] ?? '', isName }),
    )
    return { key, args }
  }
  return null
}

const counted = /^([\d\u202f]+) (.+?)s?$/

/** `1 204 rows` with the forms that the language has. */
function localizedCount(text: string): string | null {
  const [, digits = '', word = ''] = counted.exec(text) ?? []
  return word in units ? plural(Number(digits.replaceAll('\u202f', '')), word as Unit) : null
}

/** Sentences one after the other, then the members of a list, each for itself. */
const seams = [/(?<=[.!?]) (?=[A-Z\d'])/, /; /, /, /]

function localizedParts(text: string): string | null {
  for (const seam of seams) {
    const pieces = text.split(seam)
    if (pieces.length < 2) continue
    const said = pieces.map(localized)
    if (said.some((piece, i) => piece !== pieces[i]))
      return said.join(seam.source.includes(';') ? '; ' : seam.source.includes(',') ? ', ' : ' ')
  }
  return null
}

function localized(sentence: string): string {
  const count = localizedCount(sentence)
  if (count !== null) return count
  const found = matchingMessage(sentence)
  if (found !== null) {
    return t(
      found.key,
      found.args.map(({ text, isName }) => (isName ? text : localized(text))),
    )
  }
  return localizedParts(sentence) ?? sentence
}

/** A sentence made in English, as the program says it; one that no message fits stays as it is. */
export function localizedSentence(sentence: string): string {
  return currentLanguage() === 'en' ? sentence : localized(sentence)
}
