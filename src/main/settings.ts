import type { Settings } from '@shared/ipc'
import type { MemoryLimits } from '@shared/memory-limits'
import { usualPlotLook } from '@shared/plot-image'
import { storedSettings } from './settings-schema'
import type { StateFile, StateFiles } from './state-files'

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

const anyMemory: MemoryChoice = { memoryLimit: '', deviceMemory: '', scratchFolder: '' }

const settingsFile = {
  name: 'settings.json',
  schema: storedSettings,
  maxBytes: 2 ** 18,
  lost: { subject: 'Your settings', instead: 'were reset to the defaults' },
} satisfies StateFile<unknown>

/** Settings of the person, kept in the user's data folder; a damaged file means defaults. */
export class SettingsStore {
  readonly #state: StateFiles
  #settings: Settings = defaults
  #memory: MemoryChoice = anyMemory

  constructor(state: StateFiles) {
    this.#state = state
  }

  async load(): Promise<void> {
    const stored = await this.#state.read(settingsFile)
    const { memory, ...settings } = (stored ?? {}) as Partial<Settings> & { memory?: MemoryChoice }
    this.#settings = { ...defaults, ...settings }
    this.#memory = memory ?? anyMemory
  }

  get(): Settings {
    return this.#settings
  }

  get memory(): MemoryChoice {
    return this.#memory
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
    this.#state.write(settingsFile, { ...this.#settings, memory: this.#memory })
  }
}
