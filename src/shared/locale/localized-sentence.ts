/**
 * Sentences of the engine and the command line in the language of the window. They travel and are kept in English, as files and
 * records have them; the message files hold the English form as a pattern, and what fits one is said in the other language. So a
 * result of an earlier session is read in any language, and an engine's sentence needs nothing but its line there.
 */
import en from '../locales/en/sentences'
import { plural, type Unit } from '../quantity-words'
import { t } from './translate'
import units from '../locales/en/units'

type SentenceKey = keyof typeof en

interface Pattern {
  readonly key: SentenceKey
  readonly matches: RegExp
  /** Which argument each group of the expression is. */
  readonly order: readonly number[]
  /** Letters that are not arguments: of two patterns that fit, the one that says more is meant. */
  readonly fixed: number
}

/** The format of vue-i18n: `{0}` is an argument, `{'@'}` a sign as it stands. */
const parts = /\{(\d+)\}|\{'(.)'\}/g

function patternOf(key: SentenceKey, message: string): Pattern {
  let source = ''
  let at = 0
  let fixed = 0
  const order: number[] = []
  const literal = (text: string) => {
    fixed += text.length
    source += text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  }
  for (const found of message.matchAll(parts)) {
    literal(message.slice(at, found.index))
    if (found[1] === undefined) literal(found[2] ?? '')
    else {
      source += '([\\s\\S]*?)'
      order.push(Number(found[1]))
    }
    at = found.index + found[0].length
  }
  literal(message.slice(at))
  return { key, matches: new RegExp(`^${source}$`), order, fixed }
}

let patterns: readonly Pattern[] | null = null

const allPatterns = (): readonly Pattern[] =>
  (patterns ??= Object.entries(en)
    .map(([key, message]) => patternOf(key as SentenceKey, message))
    .sort((a, b) => b.fixed - a.fixed))

const counted = /^([\d\u202f]+) (.+?)s?$/

/** `1 204 rows` with the forms that the language has. */
function localizedCount(text: string): string | null {
  const [, digits = '', word = ''] = counted.exec(text) ?? []
  return word in units ? plural(Number(digits.replaceAll('\u202f', '')), word as Unit) : null
}

/** A sentence made in English, as the program says it; one that no message fits stays as it is. */
export function localizedSentence(sentence: string): string {
  for (const { key, matches, order } of allPatterns()) {
    const found = matches.exec(sentence)
    if (found === null) continue
    const args: string[] = []
    order.forEach((argument, group) => (args[argument] = localizedSentence(found[group + 1] ?? '')))
    return t(`sentences.${key}`, args)
  }
  return localizedCount(sentence) ?? sentence
}
