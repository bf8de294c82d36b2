import { stat } from 'node:fs/promises'
import { LabError } from '@shared/errors'
import { meantPath } from './file-set'

/**
 * An export must never take the place of the data it is made of, whatever name leads there.
 * @throws LabError `export.is-source`
 */
export async function refuseSource(source: string, path: string): Promise<void> {
  const meant = meantPath(path) ?? path
  if (!(await isSameFile(source, meant))) return
  throw new LabError(
    'input',
    'export.is-source',
    `${meant} is the data file itself: give the export another name, so that your data stay as they are.`,
  )
}

/** Do both names lead to one file that is there? */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([inode(one), inode(other)])
  return first !== null && first === second
}

async function inode(path: string): Promise<string | null> {
  return stat(path, { bigint: true }).then(
    (facts) => `${facts.dev}:${facts.ino}`,
    () => null,
  )
}
