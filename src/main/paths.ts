import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'

/** Folder of the built programs: out/ in development, inside the package otherwise. */
export function builtFile(...parts: readonly string[]): string {
  return join(import.meta.dirname, '..', ...parts)
}

/** The pinned Node that runs the engine host: what is tested is what runs. */
export function hostNode(): string {
  const given = process.env['CENTROID_LAB_NODE']
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
