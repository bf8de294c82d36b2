import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the program: the nearest one upwards that holds its package.json, built or not. */
export function programFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
