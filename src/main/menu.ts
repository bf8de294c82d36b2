import { app, Menu } from 'electron'
import { menuCommands, type MenuCommand, type RecentFile } from '@shared/ipc'
import type { LanguageChoice } from '@shared/locale/languages'
import { menuTemplate, type MenuActions } from './menu-template'

/** The native menu: follows the recent files, and greys what cannot work at the moment. There is none before it was told those. */
export class AppMenu {
  readonly #actions: MenuActions
  #recent: readonly RecentFile[] = []
  #language: LanguageChoice
  #enabled: ReadonlySet<MenuCommand> = new Set(menuCommands)

  constructor(actions: MenuActions, language: LanguageChoice) {
    this.#actions = actions
    this.#language = language
  }

  setRecent(recent: readonly RecentFile[]): void {
    this.#recent = recent
    this.#build()
  }

  /** Says everything anew, in the language that main speaks by now. */
  setLanguage(choice: LanguageChoice): void {
    this.#language = choice
    this.#build()
  }

  /** Everything else is greyed. */
  enable(commands: readonly MenuCommand[]): void {
    this.#enabled = new Set(commands)
    const menu = Menu.getApplicationMenu()
    for (const command of menuCommands) {
      const item = menu?.getMenuItemById(command)
      if (item) item.enabled = this.#enabled.has(command)
    }
  }

  #build(): void {
    const facts = {
      recent: this.#recent,
      enabled: this.#enabled,
      language: this.#language,
      mac: process.platform === 'darwin',
      development: !app.isPackaged,
    }
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(facts, this.#actions)))
  }
}
