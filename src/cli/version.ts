import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the program: the nearest one upwards that holds its package.json, built or not. */
export function programFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

export function version(): string {
  const text: unknown = JSON.parse(readFileSync(join(programFolder(), 'package.json'), 'utf8'))
  return typeof text === 'object' && text !== null && 'version' in text ? String(text.version) : 'unknown'
}
