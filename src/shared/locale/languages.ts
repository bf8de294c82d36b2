/** The languages of the window and of reports. The command line, files and run records speak English. */
export const languages = ['en', 'it', 'pl'] as const
export type Language = (typeof languages)[number]

/** What a person can choose; `system` follows the desktop. */
export const languageChoices = ['system', ...languages] as const
export type LanguageChoice = (typeof languageChoices)[number]

/** Each in its own words, so that whoever chose a wrong one finds the way back. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  it: 'Italiano',
  pl: 'Polski',
}

/** The mark between whole and fraction. Thousands are apart by a narrow no-break space in all three. */
export const decimalMarks: Readonly<Record<Language, string>> = { en: '.', it: ',', pl: ',' }

export function isLanguage(text: string | null): text is Language {
  return languages.some((language) => language === text)
}

/** The first of a desktop's languages (`pl-PL`, `en-GB`) that the window speaks; English where it speaks none. */
export function languageOf(choice: LanguageChoice, preferred: readonly string[]): Language {
  if (choice !== 'system') return choice
  return preferred.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}

const forms: readonly Intl.LDMLPluralRule[] = ['one', 'few', 'many', 'other']
const rules = new Map(languages.map((language) => [language, new Intl.PluralRules(language)]))

/**
 * Which form of a message a count takes: `one | other`, in Polish `one | few | many` (1 wiersz, 2 wiersze, 5 wierszy).
 * @param count how many forms the message has
 */
function pluralForm(language: Language, choice: number, count: number): number {
  const form = rules.get(language)?.select(Math.abs(choice)) ?? 'other'
  const index = language === 'pl' ? forms.indexOf(form) : Number(form !== 'one')
  return Math.min(index, count - 1)
}

/** In the shape that vue-i18n takes. */
export const pluralRules = Object.fromEntries(
  languages.map((language) => [
    language,
    (choice: number, count: number) => pluralForm(language, choice, count),
  ]),
)
