import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { LabError } from '@shared/errors'
import { dataMissing } from '@shared/reuse-requests'
import { throwIfAborted } from '../slices'
import type { KeptRun } from './kept-run'

/**
 * The first of some files that is the one a run was made of: the same bytes, whatever it is called by now. Only files of
 * its size are read. @throws LabError `verify.data` where none is
 */
export async function findData(
  { file }: Pick<KeptRun, 'file'>,
  candidates: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  for (const path of new Set(candidates)) {
    const facts = await stat(path).catch(() => null)
    if (facts?.isFile() !== true || facts.size !== file.bytes) continue
    if ((await sha256Of(path, signal)) === file.sha256) return path
  }
  const message = `The data file ${file.name} was not found, nor one with its SHA-256: choose where it lies.`
  throw new LabError('input', dataMissing, message)
}

/** Null for a file that cannot be read. */
async function sha256Of(path: string, signal: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer)
  } catch (thrown) {
    throwIfAborted(signal)
    if (thrown instanceof Error && 'code' in thrown) return null
    throw thrown
  }
  return hash.digest('hex')
}
