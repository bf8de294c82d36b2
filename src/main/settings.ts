import type { Settings } from '@shared/ipc'
import { partialSettings } from './settings-schema'
import type { StateFile, StateFiles } from './state-files'

const defaults: Settings = {
  theme: 'system',
  leftCollapsed: false,
  rightCollapsed: false,
  view: 'clusters',
  stepCount: 6,
  advancedOpen: false,
  leftPanelWidth: 264,
  rightPanelWidth: 304,
  neutraliseFormulas: false,
  exportDialect: 'comma',
  lastConfig: {},
}

const settingsFile = {
  name: 'settings.json',
  schema: partialSettings,
  maxBytes: 2 ** 18,
  lost: { subject: 'Your settings', instead: 'were reset to the defaults' },
} satisfies StateFile<unknown>

/** Settings of the person, kept in the user's data folder; a damaged file means defaults. */
export class SettingsStore {
  readonly #state: StateFiles
  #settings: Settings = defaults

  constructor(state: StateFiles) {
    this.#state = state
  }

  async load(): Promise<void> {
    const stored = await this.#state.read(settingsFile)
    this.#settings = { ...defaults, ...(stored as Partial<Settings> | null) }
  }

  get(): Settings {
    return this.#settings
  }

  save(changes: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...changes }
    this.#state.write(settingsFile, this.#settings)
  }
}
