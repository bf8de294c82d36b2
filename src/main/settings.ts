import type { Settings } from '@shared/ipc'
import type { LanguageChoice } from '@shared/locale/languages'
import type { MemoryLimits } from '@shared/memory-limits'
import { usualPlotLook } from '@shared/plot-image'
import { storedSettings } from './settings-schema'
import type { StateFile, StateFiles } from './state-files'
import { t } from '@shared/locale/translate'

const defaults: Settings = {
  theme: 'system',
  leftCollapsed: false,
  rightCollapsed: false,
  view: 'clusters',
  stepCount: 6,
  startOpen: false,
  advancedOpen: false,
  factsOpen: false,
  phasesOpen: false,
  live: true,
  leftPanelWidth: 0,
  rightPanelWidth: 0,
  neutraliseFormulas: false,
  exportDialect: 'comma',
  plotLook: usualPlotLook,
  lastConfig: {},
}

/** What may be taken of the machine; empty texts for what is free, and for the usual folder. */
export interface MemoryChoice extends MemoryLimits {
  readonly scratchFolder: string
}

type Stored = Partial<Settings> & { memory?: MemoryChoice; language?: LanguageChoice }

const anyMemory: MemoryChoice = { memoryLimit: '', deviceMemory: '', scratchFolder: '' }

const settingsFile = {
  name: 'settings.json',
  schema: storedSettings,
  maxBytes: 2 ** 18,
  lost: {
    get subject() {
      return t('desktop.yourSettings')
    },
    get instead() {
      return t('desktop.wereResetToTheDefaults')
    },
  },
} satisfies StateFile<unknown>

/** Settings of the person, kept in the user's data folder; a damaged file means defaults. */
export class SettingsStore {
  readonly #state: StateFiles
  #settings: Settings = defaults
  #memory: MemoryChoice = anyMemory
  #language: LanguageChoice = 'system'

  constructor(state: StateFiles) {
    this.#state = state
  }

  async load(): Promise<void> {
    const stored = await this.#state.read(settingsFile)
    const { memory, language, ...settings } = (stored ?? {}) as Stored
    this.#settings = { ...defaults, ...settings }
    this.#memory = memory ?? anyMemory
    this.#language = language ?? 'system'
  }

  get(): Settings {
    return this.#settings
  }

  get memory(): MemoryChoice {
    return this.#memory
  }

  get language(): LanguageChoice {
    return this.#language
  }

  saveLanguage(choice: LanguageChoice): void {
    this.#language = choice
    this.#write()
  }

  saveMemory(memory: MemoryChoice): void {
    this.#memory = memory
    this.#write()
  }

  save(changes: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...changes }
    this.#write()
  }

  #write(): void {
    this.#state.write(settingsFile, { ...this.#settings, memory: this.#memory, language: this.#language })
  }
}
