import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserWindow } from 'electron'

/** After a window was shown, when its page is looked at. */
const looksMs = [300, 700, 2000]

/** What is asked of a window. */
export type Seen = Pick<BrowserWindow, 'isDestroyed' | 'isVisible' | 'isMinimized' | 'show'> & {
  readonly webContents: Pick<BrowserWindow['webContents'], 'executeJavaScript'>
}

/**
 * A window that was shown is shown again when its page takes itself for hidden, which was seen of a start under a trace of system
 * calls. Such a page draws nothing and answers no drop until its window is minimised and restored.
 */
export async function assureSeen(window: Seen, pauses: readonly number[] = looksMs): Promise<void> {
  for (const pause of pauses) {
    await delay(pause)
    if (window.isDestroyed() || !window.isVisible() || window.isMinimized()) return
    // Of a page that is gone nothing is known; whoever draws it again has it shown.
    const state: unknown = await window.webContents
      .executeJavaScript('document.visibilityState')
      .catch(() => 'gone')
    if (state !== 'hidden') return
    if (!window.isDestroyed()) window.show()
  }
}
