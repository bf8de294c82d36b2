/** Every message in every language: the same keys, the same arguments, forms for every count. */
import { describe, expect, it } from 'vitest'
import { languages, type Language } from '@shared/locale/languages'
import { flatten, type Dictionary } from '@shared/locale/messages'
import { sharedMessages } from '@shared/locale/translate'
import en from './en'
import italian from './it'
import pl from './pl'

const all: Readonly<Record<Language, Dictionary>> = {
  en: { ...sharedMessages('en'), ...flatten(en) },
  it: { ...sharedMessages('it'), ...flatten(italian) },
  pl: { ...sharedMessages('pl'), ...flatten(pl) },
}

const placeholders = (message: string): string[] => [...new Set(message.match(/\{\w+\}/g) ?? [])].sort()
const formsOf = (message: string): string[] => message.replace(/\{'\|'\}/g, '').split('|')

describe.each(languages.filter((language) => language !== 'en'))('messages in %s', (language) => {
  it('are the same as in English', () => {
    expect(Object.keys(all[language]).sort()).toEqual(Object.keys(all.en).sort())
  })

  it.each(Object.keys(all.en))('%s takes the same arguments, and is not empty', (key) => {
    const message = all[language][key] ?? ''
    expect(placeholders(message)).toEqual(placeholders(all.en[key] ?? ''))
    expect(message.trim() === '').toBe(all.en[key]?.trim() === '')
  })

  it.each(Object.keys(all.en).filter((key) => formsOf(all.en[key] ?? '').length > 1))(
    '%s has a form for every count',
    (key) => {
      const forms = formsOf(all[language][key] ?? '')
      expect(forms).toHaveLength(language === 'pl' ? 3 : 2)
      for (const form of forms) expect(form.trim()).not.toBe('')
    },
  )
})
