import { createHash, type Hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { LabError, toErrorReport } from '@shared/errors'
import { isHindrance, readFailure } from './source-errors'
import type { FileFacts } from '@shared/dataset'
import { hashed, type Dataset } from '../dataset/dataset'

/** What a source is read again for: the words when it is not what it was. */
export interface SourceUse {
  /** First word of the error codes. */
  readonly area: string
  /** What to do when the file changed: a clause. */
  readonly whenChanged: string
  /** What misses it, and what to do when it is gone: a clause. */
  readonly whenMissing: string
}

export interface SourceGuard {
  /** Takes every byte that is read. */
  readonly hash: Hash
  /** Once all was read. @throws LabError when it was not the file that was loaded. */
  confirm(): Promise<void>
  /** Has it the size and the time it had when it was loaded? Then what was read of it so far is to be believed. */
  untouched(): Promise<boolean>
  /** The sentence for a source that cannot be read again, whatever it was that showed it; a cancel stays one. */
  failure(cause: unknown): Promise<LabError>
}

/**
 * Watches that a source file is still what it was when it was loaded: its size now, its SHA-256 while it is read
 * (the reader itself notices a file that changes under its hands). Another time stamp with the same bytes is no
 * change.
 * @throws LabError `<area>.source-changed`, `<area>.source-missing`, `<area>.no-source`
 */
export async function watchSource(
  dataset: Pick<Dataset, 'file' | 'hashing'>,
  use: SourceUse,
): Promise<SourceGuard> {
  const { file } = dataset
  if (file.path === '') throw noSource(file, use)
  const failure = (cause: unknown) => sourceFailure(file, use, cause)
  const { size } = await stat(file.path).catch(async (thrown: unknown) => {
    throw await failure(thrown)
  })
  if (size !== file.bytes) throw await failure('the size differs')
  const hash = createHash('sha256')
  const confirm = async () => {
    const { sha256 } = (await hashed(dataset)).file
    const same = sha256 === null || hash.digest('hex') === sha256
    if (!same) throw await failure('the content differs')
  }
  return { hash, confirm, failure, untouched: () => untouched(file) }
}

/** Data that was made in memory. */
function noSource({ name }: FileFacts, { area }: SourceUse): LabError {
  return new LabError(
    'input',
    `${area}.no-source`,
    `${name} was generated in memory and has no file to read cells from: write it with \`centroid-lab generate -o FILE\` and open that file.`,
  )
}

async function untouched({ path, bytes, modifiedMs }: FileFacts): Promise<boolean> {
  const now = await stat(path).catch(() => null)
  return now !== null && now.size === bytes && now.mtimeMs === modifiedMs
}

async function sourceFailure(file: FileFacts, use: SourceUse, cause: unknown): Promise<LabError> {
  // What is no error of reading says nothing of the file.
  const report = cause instanceof Error ? toErrorReport(readError(file.path, cause)) : null
  if (report !== null && (!report.code.startsWith('csv.') || isHindrance(report)))
    return LabError.from(report)
  const details = report === null ? String(cause) : (report.details ?? report.message)
  const missing = await stat(file.path).then(
    () => null,
    (thrown: unknown) => readFailure(file.path, thrown),
  )
  if (missing !== null && isHindrance(missing)) return missing
  if (missing === null) {
    const sentence = `${file.name} has changed since it was loaded: ${use.whenChanged}.`
    return new LabError('io', `${use.area}.source-changed`, sentence, details)
  }
  const sentence = `${file.path} no longer exists, ${use.whenMissing}.`
  return new LabError('io', `${use.area}.source-missing`, sentence, details)
}

/** A refusal of the system as a sentence about the file; anything else stays what it is. */
function readError(path: string, thrown: Error): Error {
  return 'syscall' in thrown ? readFailure(path, thrown) : thrown
}
