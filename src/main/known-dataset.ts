import { stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ImportOverrides } from '@shared/dataset'
import type { KeptFile } from './kept-sessions'

/** The id under which a session has a file already, read the same way and untouched since; null for any other file. */
export async function knownDataset(
  datasets: readonly KeptFile[],
  path: string,
  overrides: ImportOverrides,
): Promise<string | null> {
  const known = datasets.find((each) => each.path === path && isDeepStrictEqual(each.overrides, overrides))
  if (known === undefined) return null
  const facts = await stat(path).catch(() => null)
  const isSame = facts?.size === known.bytes && Math.abs(facts.mtimeMs - known.modifiedMs) < 1
  return isSame ? known.id : null
}
