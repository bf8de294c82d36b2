/** A folder of step pairs on screen: chosen in a dialog, dropped, or given by the menu. Its points stay in the host. */
import type { ChosenFile } from '@shared/chosen-file'
import type { StepsFolder } from '@shared/steps'
import { defineStore } from 'pinia'
import { ref, shallowRef, watch } from 'vue'
import { t } from '@/i18n'
import { ask } from '@/api'
import { plural } from '@/text/numbers'
import { useAppStore } from './app'
import { useDatasetStore } from './dataset'
import { useSettingsStore } from './settings'

export const useStepsStore = defineStore('steps', () => {
  const app = useAppStore()
  const dataset = useDatasetStore()
  const settings = useSettingsStore()
  const folder = shallowRef<StepsFolder | null>(null)
  /** Name of the folder that is being read; empty when none is. */
  const opening = ref('')
  let source: ChosenFile | null = null
  let newest = 0

  function release(old: StepsFolder | null): void {
    // A host that died meanwhile has nothing to close.
    if (old) ask('steps.close', { stepsId: old.id }).catch(() => null)
  }

  /** Reads a folder; the one on screen stays when that fails. A newer wish wins. */
  async function open(chosen: ChosenFile): Promise<void> {
    // Only what a person opened leads to its view.
    if (await read(chosen)) settings.save({ view: 'steps' })
  }

  /** Whether the folder is on screen now. */
  async function read(chosen: ChosenFile): Promise<boolean> {
    const mine = ++newest
    opening.value = chosen.name
    app.message = t('steps.readingTheFolder', [chosen.name])
    try {
      const opened = await ask('app.open-steps', { token: chosen.token })
      if (mine === newest) adopt(opened, chosen)
      else release(opened)
      return mine === newest
    } catch (thrown) {
      if (mine === newest) app.fail(thrown)
      return false
    } finally {
      if (mine === newest) opening.value = ''
    }
  }

  function adopt(opened: StepsFolder, from: ChosenFile): void {
    release(folder.value)
    folder.value = opened
    source = from
    app.message = t('steps.opened', [opened.name, plural(opened.steps.length, 'iteration')])
  }

  async function choose(): Promise<void> {
    try {
      const chosen = await ask('app.choose-steps', {})
      if (chosen) await open(chosen)
    } catch (thrown) {
      app.fail(thrown)
    }
  }

  function close(): void {
    newest++
    opening.value = ''
    release(folder.value)
    folder.value = null
    source = null
  }

  watch(
    () => dataset.folder,
    (dropped) => dropped && void open(dropped),
  )
  // A new engine process knows nothing of the folder: it is read again.
  watch(
    () => app.hostState.state,
    (now, before) => {
      if (now === 'ready' && before !== 'starting' && folder.value && source) void read(source)
    },
  )

  return { folder, opening, open, choose, close }
})
