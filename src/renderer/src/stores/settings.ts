/** What is remembered between starts; saved a moment after the last change. */
import type { Settings } from '@shared/ipc'
import { usualPlotLook } from '@shared/plot-image'
import { defineStore } from 'pinia'
import { reactive, ref } from 'vue'
import { ask } from '@/api'
import { debounced } from '@/debounced'

const saveDelayMs = 400
export const panelLimits = { left: { least: 232, most: 480 }, right: { least: 248, most: 960 } } as const

/** A window of this width has narrow panels; what it has more goes to tables and plots in turn. */
const narrowWindow = 1400

/** Pixels of a panel that nobody has drawn to a width, in a window of some width. */
export function usualWidth(side: 'left' | 'right', window: number): number {
  const more = Math.max(0, window - narrowWindow)
  return Math.round(side === 'left' ? Math.min(340, 264 + 0.12 * more) : Math.min(640, 376 + 0.4 * more))
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

export const useSettingsStore = defineStore('settings', () => {
  const values = reactive<Writable<Settings>>({
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
  })
  const loaded = ref(false)
  let pending: Partial<Settings> = {}

  async function load(): Promise<void> {
    Object.assign(values, await ask('app.settings', {}))
    loaded.value = true
  }

  function flush(): void {
    const settings = pending
    pending = {}
    // A settings file that cannot be written must not get in the way of the work; the next change tries again.
    ask('app.save-settings', { settings }).catch(() => {
      pending = { ...settings, ...pending }
    })
  }

  const saving = debounced(flush, saveDelayMs)

  function save(change: Partial<Settings>): void {
    Object.assign(values, change)
    pending = { ...pending, ...change }
    saving.ask()
  }

  return { values, loaded, load, save }
})
