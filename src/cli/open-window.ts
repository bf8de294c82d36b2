import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LabError } from '@shared/errors'
import type { CliIo } from './io'
import { programFolder } from './program-folder'

/**
 * `centroid-lab DATA.csv`: opens the window with the file loaded and stays until it is closed.
 * @returns the exit status of the window
 * @throws LabError in one sentence when there is no such file, no display or no Electron
 */
export async function openWindow(file: string, io: CliIo): Promise<number> {
  const path = resolve(file)
  requireFile(path)
  requireDisplay(io, file)
  const electron =
    io.env['CENTROID_LAB_ELECTRON'] ?? join(programFolder(), 'node_modules/electron/dist/electron')
  if (!existsSync(electron)) throw noElectron(file)
  return runWindow(electron, path, io)
}

function requireFile(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts?.isFile() === true) return
  const what = facts === undefined ? 'There is no file' : 'A data file is needed, and this is none:'
  throw new LabError('input', 'open.no-file', `${what} ${path}: check the name.`)
}

function requireDisplay({ env }: CliIo, file: string): void {
  if (process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return
  throw new LabError(
    'engine-missing',
    'open.no-display',
    `The window needs a display and there is none: use \`centroid-lab cluster ${file} -k 3\` instead.`,
  )
}

function noElectron(file: string): LabError {
  return new LabError(
    'engine-missing',
    'open.no-electron',
    `The window needs Electron, which is not installed here: run npm start once, or use \`centroid-lab cluster ${file} -k 3\`.`,
  )
}

async function runWindow(electron: string, path: string, { env, signal }: CliIo): Promise<number> {
  // Chromium's sandbox refuses to start as root; only in development does anybody run this as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(electron, [...sandbox, programFolder(), path], { env: { ...env }, stdio: 'inherit' })
  signal.addEventListener('abort', () => child.kill(), { once: true })
  return new Promise((done, failed) => {
    child.on('error', (error) => {
      failed(
        new LabError(
          'internal',
          'open.failed',
          'The window could not be started: run npm start once.',
          error.message,
        ),
      )
    })
    child.on('exit', (status) => done(signal.aborted ? 130 : (status ?? 1)))
  })
}
