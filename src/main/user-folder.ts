import { spawn } from 'node:child_process'
import { accessSync, constants, lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { app } from 'electron'
import { makeFolderNow } from '@engine/export/make-folder'

/** Of a start without a home, with the id of its process: the next start sees from that whether it is over. */
const temporaryPrefix = 'centroid-lab-'
const temporaryName = /^centroid-lab-(\d+)-/

/**
 * Where nothing can be written into the person's folder (a read-only home, a full disk), a temporary one takes its place: without any,
 * Chromium does not start. Before the app is ready, and before the lock of the single instance.
 * @returns a sentence about it, or null when all is well
 */
export function requireUserFolder(): string | null {
  if (isThere()) return null
  const folder = mkdtempSync(join(tmpdir(), `${temporaryPrefix}${process.pid}-`))
  app.setPath('userData', folder)
  app.on('quit', () => removeWhenOver(folder))
  return 'Your home folder cannot be written: make it writable, or settings and recent files are lost when Centroid Lab ends.'
}

/** Chromium writes there to the very last: somebody else waits for that. */
function removeWhenOver(folder: string): void {
  if (process.platform === 'win32') return
  const script = 'while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; rm -rf -- "$2"'
  const args = ['-c', script, 'sh', String(process.pid), folder]
  spawn('/bin/sh', args, { detached: true, stdio: 'ignore' })
    // The next start removes it.
    .on('error', () => undefined)
    .unref()
}

/** Electron makes the folder when it is asked for, and throws where it cannot. */
function isThere(): boolean {
  try {
    const folder = app.getPath('userData')
    makeFolderNow(folder)
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Where Chromium's socket of the start before lies, which a start that was killed leaves behind; null for none. */
export function earlierSocketFolder(): string | null {
  return socketFolderOf(app.getPath('userData'))
}

function socketFolderOf(userFolder: string): string | null {
  try {
    return dirname(readlinkSync(join(userFolder, 'SingletonSocket')))
  } catch {
    return null
  }
}

/**
 * Removes what starts that were killed left in the folder for temporary files. Only once this start has the lock of
 * the single instance: nobody uses the earlier socket any more.
 */
export function clearTemporary(earlierSocket: string | null, folder = tmpdir()): void {
  const own = earlierSocketFolder()
  if (earlierSocket !== null && earlierSocket !== own && isChromiums(earlierSocket, folder))
    remove(earlierSocket)
  for (const name of namesIn(folder)) {
    const pid = temporaryName.exec(name)?.[1]
    // What lies in a folder of somebody else's making may name anything.
    if (pid === undefined || isRunning(Number(pid)) || !isOwn(join(folder, name))) continue
    const socket = socketFolderOf(join(folder, name))
    if (socket !== null && isChromiums(socket, folder)) remove(socket)
    remove(join(folder, name))
  }
}

/** By its place and name: a link in the person's folder must not have anything else removed. */
function isChromiums(path: string, folder: string): boolean {
  return dirname(path) === folder && /^(scoped_dir|\.(org|com)\.)[\w.]+$/.test(basename(path))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isOwn(path: string): boolean {
  if (process.getuid === undefined) return true
  try {
    return lstatSync(path).uid === process.getuid()
  } catch {
    return false
  }
}

/** Others' folders of that name stay theirs. */
function remove(path: string): void {
  try {
    if (isOwn(path)) rmSync(path, { recursive: true, force: true })
  } catch {
    // What cannot be removed is in nobody's way.
  }
}
