import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { LabError } from '@shared/errors'

/** File names of tables end so. */
export const tableEndings: readonly string[] = ['csv', 'tsv', 'txt', 'dat', 'data']

/**
 * Tables of a folder, not of the folders in it, by name (numbers in it by size).
 * @returns their full paths
 * @throws LabError `input` when there is none, `io`
 */
export async function tablesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new LabError('io', 'folder.unreadable', `${folder} cannot be read: choose another folder.`)
  })
  const isTable = (name: string) => tableEndings.includes(extname(name).slice(1).toLowerCase())
  const names = entries.filter((entry) => entry.isFile() && isTable(entry.name)).map(({ name }) => name)
  if (names.length === 0) {
    const endings = tableEndings.map((ending) => `.${ending}`).join(', ')
    throw new LabError(
      'input',
      'folder.no-tables',
      `${basename(folder)} holds no table (${endings}): choose another folder.`,
    )
  }
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((name) => join(folder, name))
}
