import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LabError } from '@shared/errors'
import { commands } from './arguments'
import type { CliIo } from './io'
import { programFolder } from './program-folder'

/** How the window is started here. */
interface WindowProgram {
  readonly path: string
  readonly args: readonly string[]
}

/**
 * `centroid-lab` and `centroid-lab DATA.csv`: opens the window, with the file loaded, and stays until it is closed.
 * @param file null opens it with no file
 * @returns the exit status of the window
 * @throws LabError in one sentence when there is no such file, no display or no Electron
 */
export async function openWindow(file: string | null, io: CliIo): Promise<number> {
  const path = file === null ? null : resolve(file)
  if (path !== null) requireFile(path)
  requireDisplay(io, file)
  const program = packagedWindow(programFolder()) ?? developmentWindow(io)
  if (!existsSync(program.path)) throw noElectron(file)
  return runWindow({ ...program, args: [...program.args, ...(path === null ? [] : [path])] }, io)
}

/**
 * The window of a package, two folders above the engines; null in development. Chromium's sandbox stays on.
 * @param folder of the engines
 * @throws LabError for root, as whom Chromium draws nothing that is sandboxed
 */
export function packagedWindow(folder: string, user = process.getuid?.()): WindowProgram | null {
  const path = join(folder, '..', '..', 'centroid-lab-window')
  if (!existsSync(path)) return null
  if (user === 0) throw notAsRoot()
  return { path, args: [] }
}

function developmentWindow({ env }: CliIo): WindowProgram {
  const path = env['CENTROID_LAB_ELECTRON'] ?? join(programFolder(), 'node_modules/electron/dist/electron')
  // Chromium's sandbox refuses to start as root; only in development does anybody run this as root.
  return { path, args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), programFolder()] }
}

function requireFile(path: string): void {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts?.isFile() === true) return
  const what = facts === undefined ? 'There is no file' : 'A data file is needed, and this is none:'
  throw new LabError('input', 'open.no-file', `${what} ${path}: check the name.`)
}

function requireDisplay({ env }: CliIo, file: string | null): void {
  if (process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return
  if (file === null) throw noCommand()
  throw new LabError(
    'engine-missing',
    'open.no-display',
    `There is no display for the window: use \`${instead(file)}\` instead.`,
  )
}

/** The command that does without a window what the window would be opened for. */
function instead(file: string | null): string {
  return `centroid-lab cluster ${file ?? 'DATA.csv'} -k 3`
}

/** Whoever names nothing where there is no display has forgotten the command. */
function noCommand(): LabError {
  return new LabError(
    'input',
    'open.no-command',
    `There is no display for the window: name a command (${commands.join(', ')}; see --help).`,
  )
}

function notAsRoot(): LabError {
  return new LabError(
    'engine-missing',
    'open.root',
    'The window cannot be opened by root, because its sandbox protects ordinary users only: start it as one of them.',
  )
}

function noElectron(file: string | null): LabError {
  return new LabError(
    'engine-missing',
    'open.no-electron',
    `The window needs Electron, which is not installed here: run npm start once, or use \`${instead(file)}\`.`,
  )
}

async function runWindow({ path, args }: WindowProgram, { env, signal }: CliIo): Promise<number> {
  const child = spawn(path, args, { env: { ...env }, stdio: 'inherit' })
  signal.addEventListener('abort', () => child.kill(), { once: true })
  return new Promise((done, failed) => {
    child.on('error', (error) => {
      failed(
        new LabError(
          'internal',
          'open.failed',
          `The window could not be started from ${path}: install Centroid Lab again, or run npm start once.`,
          error.message,
        ),
      )
    })
    child.on('exit', (status) => done(signal.aborted ? 130 : (status ?? 1)))
  })
}
