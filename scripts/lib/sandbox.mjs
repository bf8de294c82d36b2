import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { paths } from './project.mjs'

const setUserId = 0o4000

/**
 * Environment for Electron in development. Chromium's sandbox refuses root, and needs user namespaces, which
 * containers often forbid, or its set-user-id helper; where neither is to be had it is switched off. Packages
 * never come here: they keep the sandbox.
 */
export function electronEnvironment() {
  return sandboxWorks() ? process.env : { ...process.env, ELECTRON_DISABLE_SANDBOX: '1' }
}

function sandboxWorks() {
  if (process.platform !== 'linux') return true
  if (process.getuid?.() === 0) return false
  return helperIsReady() || spawnSync('unshare', ['--user', '--map-root-user', 'true']).status === 0
}

function helperIsReady() {
  const helper = statSync(join(paths.electron, 'dist', 'chrome-sandbox'), { throwIfNoEntry: false })
  return helper !== undefined && helper.uid === 0 && (helper.mode & setUserId) !== 0
}
