import { join } from 'node:path'
import { app } from 'electron'
import type { Settings } from '@shared/ipc'
import { readJson, writeJsonNow } from './json-file'
import { partialSettings } from './settings-schema'

const defaults: Settings = {
  theme: 'system',
  leftCollapsed: false,
  rightCollapsed: false,
  view: 'clusters',
  stepCount: 6,
  advancedOpen: false,
  leftPanelWidth: 264,
  rightPanelWidth: 304,
  lastConfig: {},
}

/** Settings of the person, kept in the user's data folder; a damaged file means defaults. */
export class SettingsStore {
  readonly #path = join(app.getPath('userData'), 'settings.json')
  #settings: Settings = defaults

  async load(): Promise<Settings> {
    const stored = await readJson(this.#path, partialSettings)
    this.#settings = { ...defaults, ...(stored as Partial<Settings> | null) }
    return this.#settings
  }

  get(): Settings {
    return this.#settings
  }

  save(changes: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...changes }
    writeJsonNow(this.#path, this.#settings)
  }
}
