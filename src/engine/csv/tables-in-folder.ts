import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { LabError } from '@shared/errors'

/** File names of tables end so. */
export const tableEndings: readonly string[] = [
  ...['csv', 'tsv', 'txt', 'dat', 'data', 'gz', 'zst'],
  ...['npy', 'parquet', 'arrow', 'arrows', 'feather', 'ipc'],
]

/** What may stand behind another ending. */
const compressed: readonly string[] = ['gz', 'zst']

/**
 * Tables of a folder, not of the folders in it, by name (numbers in it by size).
 * @returns their full paths
 * @throws LabError `input` when there is none, `io`
 */
export async function tablesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new LabError('io', 'folder.unreadable', `${folder} cannot be read: choose another folder.`)
  })
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

/** A compressed file by the ending of what it holds. */
function isTable(name: string): boolean {
  const ending = extname(name).slice(1).toLowerCase()
  if (!compressed.includes(ending)) return tableEndings.includes(ending)
  const inner = extname(name.slice(0, -ending.length - 1))
    .slice(1)
    .toLowerCase()
  return tableEndings.includes(inner) && !compressed.includes(inner)
}
