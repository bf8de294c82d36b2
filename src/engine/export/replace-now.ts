import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { forgetTemporary, temporaryName, trackTemporary } from './temporary-files'

/**
 * Writes a small file of the program's own, whole or not at all, before this returns: for what must be there whatever happens to the
 * process next. What was there before stays where it fails. The folder must be there.
 * @throws what the system says
 */
export function replaceNow(path: string, text: string): void {
  const temporary = temporaryName(dirname(path))
  trackTemporary(temporary)
  try {
    // Not flushed to the disk, which would disturb what is timed next: it is to outlive the process, not the machine.
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 })
    renameSync(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
    forgetTemporary(temporary)
  }
}
