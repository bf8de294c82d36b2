import { accessSync, constants, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app } from 'electron'

/**
 * Where nothing can be written into the person's folder (a read-only home, a full disk), a temporary one takes its place: without any,
 * Chromium does not start. Before the app is ready, and before the lock of the single instance.
 * @returns a sentence about it, or null when all is well
 */
export function requireUserFolder(): string | null {
  if (isThere()) return null
  app.setPath('userData', mkdtempSync(join(tmpdir(), 'centroid-lab-')))
  return 'Nothing can be written into your home folder: settings and recent files of this session are forgotten at its end, until the folder can be written again.'
}

/** Electron makes the folder when it is asked for, and throws where it cannot. */
function isThere(): boolean {
  try {
    const folder = app.getPath('userData')
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
