import type { ImportOverrides } from '@shared/dataset'
import { inspect } from './inspect'

/**
 * The k that a headed file names in its third line; null for any other table.
 * @throws LabError for what is no text table
 */
export async function headedK(path: string, overrides: ImportOverrides = {}): Promise<number | null> {
  const { counts } = await inspect(path, overrides)
  return counts?.k ?? null
}
