import { app } from 'electron'
import { languageOf, type Language, type LanguageChoice } from '@shared/locale/languages'
import { speak, speakerOf } from '@shared/locale/translate'
import type { SettingsStore } from './settings'

/** Menus and dialogs of main speak what was chosen, or else what the desktop does. Once the app is ready. */
export function speakChosen(settings: SettingsStore): Language {
  const language = languageOf(settings.language, app.getPreferredSystemLanguages())
  speak(speakerOf(language))
  return language
}

/** Remembers the choice and speaks it from now on. */
export function chooseLanguage(settings: SettingsStore, choice: LanguageChoice): Language {
  settings.saveLanguage(choice)
  return speakChosen(settings)
}
