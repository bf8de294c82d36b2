/** Results of earlier starts: resumed, or discarded. */
import type { KeptSession } from '@shared/ipc'
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { ask } from '@/api'

export const useKeptSessionsStore = defineStore('kept-sessions', () => {
  /** The last used first; not what is on screen. */
  const sessions = shallowRef<readonly KeptSession[]>([])

  async function refresh(): Promise<void> {
    sessions.value = await ask('app.kept-sessions', {})
  }

  /** Main then has its file opened again, with its results. */
  async function goOn(id: string): Promise<void> {
    await ask('app.continue-session', { id })
  }

  /** Its results are gone for good. */
  async function discard(id: string): Promise<void> {
    await ask('app.discard-session', { id })
    await refresh()
  }

  return { sessions, refresh, goOn, discard }
})
