import { stat } from 'node:fs/promises'
import { LabError } from '@shared/errors'
import { dataMissing } from '@shared/reuse-requests'
import { sha256OfFile } from '../sha256-of-file'
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
    if ((await sha256OfFile(path, signal)) === file.sha256) return path
  }
  const message = `The data file ${file.name} was not found, nor one with its SHA-256: choose where it lies.`
  throw new LabError('input', dataMissing, message)
}
