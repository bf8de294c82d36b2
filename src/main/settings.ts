import { join } from 'node:path'
import { app } from 'electron'
import * as v from 'valibot'
import { partialRunConfig } from '@engine/host/schemas'
import { centreViews, type Settings } from '@shared/ipc'
import { readJson, writeJsonNow } from './json-file'

const width = v.pipe(v.number(), v.minValue(120), v.maxValue(1000))

const settingsEntries = {
  theme: v.picklist(['system', 'light', 'dark'] as const),
  leftCollapsed: v.boolean(),
  rightCollapsed: v.boolean(),
  view: v.picklist(centreViews),
  stepCount: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64)),
  advancedOpen: v.boolean(),
  leftPanelWidth: width,
  rightPanelWidth: width,
  lastConfig: partialRunConfig,
}

/** What the window may ask to remember. */
export const partialSettings = v.partial(v.object(settingsEntries))

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
