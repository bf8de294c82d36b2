import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'

/** A file of the built programs, which lie in out/ in development and inside the package's archive. */
export function builtFile(...parts: readonly string[]): string {
  return join(app.getAppPath(), 'out', ...parts)
}

/** The engine host's program: plain Node reads no archive, so packages carry it beside theirs. */
export function hostScript(): string {
  const packaged = join(process.resourcesPath, 'engine', 'out', 'main', 'host.js')
  return existsSync(packaged) ? packaged : builtFile('main', 'host.js')
}

/** The picture of the window, for desktops that know no entry of the program's. */
export function windowIcon(): string {
  const picture = join('128x128', 'apps', 'centroid-lab.png')
  const packaged = join(process.resourcesPath, 'icons', 'hicolor', picture)
  return existsSync(packaged) ? packaged : join(app.getAppPath(), 'build', 'icons', '128x128.png')
}

/** The pinned Node that runs the engine host: what is tested is what runs. */
export function hostNode(): string {
  // In a package nobody but the package says which Node runs.
  const given = app.isPackaged ? undefined : process.env['CENTROID_LAB_NODE']
  if (given) return given
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const packaged = join(process.resourcesPath, 'node', name)
  if (existsSync(packaged)) return packaged
  return join(app.getAppPath(), 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', name)
}

/** Example tables that come with the program. */
export function samplesFolder(): string {
  const packaged = join(process.resourcesPath, 'examples')
  return existsSync(packaged) ? packaged : join(app.getAppPath(), 'examples')
}
