/** Words of the window: vue-i18n with the message files of the window and those shared with the other programs. */
import { decimalMarks, pluralRules, type Language } from '@shared/locale/languages'
import { flatten, type Dictionary, type KeysOf } from '@shared/locale/messages'
import { sharedMessages, speak, type SharedKey, type Translate } from '@shared/locale/translate'
import { createI18n } from 'vue-i18n'
import en from './locales/en'

export type WindowKey = KeysOf<typeof en> | SharedKey

const english: Dictionary = { ...sharedMessages('en'), ...flatten(en) }

/** English is always at hand; another language is read when it is chosen. */
const readers = {
  it: () => import('./locales/it'),
  pl: () => import('./locales/pl'),
} satisfies Record<Exclude<Language, 'en'>, unknown>

const i18n = createI18n({
  legacy: false,
  locale: 'en',
  fallbackLocale: 'en',
  messages: { en: english } as Record<string, Dictionary>,
  pluralRules,
  messageResolver: (messages, key) => (messages as Dictionary)[key] ?? null,
  missingWarn: false,
  fallbackWarn: false,
})
const { global } = i18n

/** A sentence or word in the language of the window: whatever is drawn or computed from it follows a change. */
export const t: Translate<WindowKey> = (key, args = [], count) =>
  count === undefined ? global.t(key, [...args]) : global.t(key, [...args], count)

// What is shared with the command line speaks as the window does, and follows it.
speak({
  get language() {
    return global.locale.value as Language
  },
  say: t as Translate<string>,
})

let wanted: Language = 'en'

/** Switches every word and number on screen. The newest wish wins, whichever is read first. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language
  if (language !== 'en' && !global.availableLocales.includes(language)) {
    const { default: areas } = await readers[language]()
    global.setLocaleMessage(language, { ...sharedMessages(language), ...flatten(areas) })
  }
  if (wanted !== language) return
  global.locale.value = language
  document.documentElement.lang = language
}

/** The language that is on screen. */
export function windowLanguage(): Language {
  return global.locale.value as Language
}

/** What parts whole and fraction in the language that is on screen. */
export function decimalMark(): string {
  return decimalMarks[windowLanguage()]
}

const dateLocales: Readonly<Record<Language, string>> = { en: 'en-GB', it: 'it', pl: 'pl' }

/** Dates and times of day as the language writes them. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(dateLocales[windowLanguage()], options)
}
