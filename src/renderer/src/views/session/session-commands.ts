/** What the File menu does with sessions. */
import { toErrorReport } from '@shared/errors'
import { watch } from 'vue'
import { ask } from '@/api'
import { t } from '@/i18n'
import { useAppStore } from '@/stores/app'
import { useRunStore } from '@/stores/run'
import { useSessionStore } from '@/stores/session'
import { useOpened } from './restore'

export function useSessionCommands() {
  const app = useAppStore()
  const run = useRunStore()
  const session = useSessionStore()
  const opened = useOpened()

  /** A run under way belongs to what is on screen. */
  function isFree(): boolean {
    if (!run.busy) return true
    app.message = t('session.wait')
    return false
  }

  function failed(thrown: unknown, cancelled: string): void {
    if (toErrorReport(thrown).kind === 'cancelled') app.message = cancelled
    else app.fail(thrown)
  }

  async function open(token: string): Promise<void> {
    if (!isFree()) return
    try {
      const found = await session.open(token)
      if (found) opened(found, false)
    } catch (thrown) {
      failed(thrown, t('session.openingCancelled'))
    }
  }

  async function choose(): Promise<void> {
    const chosen = await ask('app.choose-session', {})
    if (chosen) await open(chosen.token)
  }

  async function begin(): Promise<void> {
    if (isFree()) await session.begin()
  }

  /** "Saved" is no longer true once something has changed, and would stand beside "not saved". */
  let saved = ''
  watch(
    () => session.unsaved,
    (unsaved) => {
      if (unsaved && app.message === saved) app.message = ''
    },
  )

  async function save(as: boolean): Promise<void> {
    app.message = t('session.saving')
    try {
      saved = (await session.save(as)) ? t('session.saved', [session.name ?? '']) : ''
      app.message = saved
    } catch (thrown) {
      app.message = ''
      failed(thrown, t('session.savingCancelled'))
    }
  }

  return { open, choose: () => choose().catch(app.fail), begin: () => begin().catch(app.fail), save }
}
