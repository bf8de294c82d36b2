import { join } from 'node:path'
import { app } from 'electron'
import type { Settings } from '@shared/ipc'
import { putAside, readJsonOrDamage, writeJsonNow } from './json-file'
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
  neutraliseFormulas: false,
  exportDialect: 'comma',
  lastConfig: {},
}

/** Settings of the person, kept in the user's data folder; a damaged file means defaults. */
export class SettingsStore {
  readonly #path = join(app.getPath('userData'), 'settings.json')
  #settings: Settings = defaults

  /** Reads what is kept. @returns a sentence when that was damaged, else null */
  async load(): Promise<string | null> {
    const { value, damaged } = await readJsonOrDamage(this.#path, partialSettings)
    this.#settings = { ...defaults, ...(value as Partial<Settings> | null) }
    if (!damaged) return null
    return `Your settings could not be read and are the usual ones again; the damaged file is kept as ${putAside(this.#path)}.`
  }

  get(): Settings {
    return this.#settings
  }

  save(changes: Partial<Settings>): void {
    this.#settings = { ...this.#settings, ...changes }
    writeJsonNow(this.#path, this.#settings)
  }
}
