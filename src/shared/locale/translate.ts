/**
 * `t` for what is said outside of the window's own files: menus, reports, and words that the window shares with the command line.
 * It speaks English unless the program that runs says otherwise; the window puts vue-i18n in its place, and with it follows a
 * change of language.
 */
import { compile, createCoreContext, registerMessageCompiler, translate } from '@intlify/core-base'
import en from '../locales/en'
import it from '../locales/it'
import pl from '../locales/pl'
import { decimalMarks, pluralRules, type Language } from './languages'
import { flatten, type Dictionary, type KeysOf } from './messages'

export type SharedKey = KeysOf<typeof en>
export type Arguments = readonly (string | number)[]

/** @param count chooses the form of the message that it takes */
export type Translate<Key> = (key: Key, args?: Arguments, count?: number) => string

/** Where words come from. */
export interface Speaker {
  readonly language: Language
  readonly say: Translate<string>
}

const areasOf = { en, it, pl }
const flat = new Map<Language, Dictionary>()

/** Laid out when the language is first spoken: a command speaks one of them, and is over in a tenth of a second. */
export function sharedMessages(language: Language): Dictionary {
  const known = flat.get(language) ?? flatten(areasOf[language])
  flat.set(language, known)
  return known
}

// Messages are compiled into trees that are walked: nothing is evaluated, as the page's security policy demands.
registerMessageCompiler(compile)

const made = new Map<Language, Speaker>()

/** A language for one report or menu, whatever the program speaks. */
export function speakerOf(language: Language): Speaker {
  const known = made.get(language)
  if (known) return known
  const context = createCoreContext({
    locale: language,
    messages: { [language]: sharedMessages(language) },
    pluralRules,
    messageResolver: (messages, key) => (messages as Dictionary)[key] ?? null,
    missingWarn: false,
    fallbackWarn: false,
  })
  const say: Translate<string> = (key, args = [], count) => {
    return String(
      count === undefined ? translate(context, key, [...args]) : translate(context, key, [...args], count),
    )
  }
  const speaker = { language, say }
  made.set(language, speaker)
  return speaker
}

let current: Speaker = speakerOf('en')

/** For the program that runs: main for its menus, the window for itself. */
export function speak(speaker: Speaker): void {
  current = speaker
}

export function currentLanguage(): Language {
  return current.language
}

/** Runs something in one language: what it says is said before it returns. */
export function speaking<T>(language: Language, work: () => T): T {
  const before = current
  current = speakerOf(language)
  try {
    return work()
  } finally {
    current = before
  }
}

/** A sentence or word in the language of the program. */
export const t: Translate<SharedKey> = (key, args, count) => current.say(key, args, count)

/** A number that was written with a decimal point, with the mark of the language. */
export function localNumber(text: string): string {
  const mark = decimalMarks[current.language]
  return mark === '.' ? text : text.replace('.', mark)
}
