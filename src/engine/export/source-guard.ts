import { createHash, type Hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { LabError, toErrorReport } from '@shared/errors'
import type { FileFacts } from '@shared/dataset'

export interface SourceGuard {
  /** Takes every byte that is read. */
  readonly hash: Hash
  /** Once all was read. @throws LabError when it was not the file that was loaded. */
  confirm(): Promise<void>
}

/**
 * Watches that a source file is still what it was when it was loaded: its size now, its SHA-256 while it is read
 * (the reader itself notices a file that changes under its hands). Another time stamp with the same bytes is no
 * change.
 */
export async function watchSource(file: FileFacts): Promise<SourceGuard> {
  const { size } = await stat(file.path).catch(async (thrown: unknown) => {
    throw await sourceFailure(file, thrown)
  })
  if (size !== file.bytes) throw await sourceFailure(file, 'the size differs')
  const hash = createHash('sha256')
  const confirm = async () => {
    const same = file.sha256 === null || hash.digest('hex') === file.sha256
    if (!same) throw await sourceFailure(file, 'the content differs')
  }
  return { hash, confirm }
}

/** The sentence for a source that cannot be read again, whatever it was that showed it; a cancel stays one. */
export async function sourceFailure(file: FileFacts, cause: unknown): Promise<LabError> {
  const report = toErrorReport(cause)
  if (report.kind === 'cancelled') return LabError.from(report)
  const details = report.details ?? report.message
  const there = await stat(file.path).then(
    () => true,
    () => false,
  )
  if (there) {
    return new LabError(
      'io',
      'export.source-changed',
      `${file.name} is not as it was when it was loaded: open it again, cluster it and export then.`,
      details,
    )
  }
  return new LabError(
    'io',
    'export.source-missing',
    `${file.path} is not there any more, and its columns are part of the export: put it back, then export again.`,
    details,
  )
}
