/// <reference types="vite/client" />
import type { WindowApi } from '@shared/ipc'

declare global {
  interface Window {
    /** Put here by the preload; only api.ts touches it. */
    readonly lab: WindowApi
  }
}
