import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { LabError, toErrorReport } from '@shared/errors'
import type { FileFacts } from '@shared/dataset'

export interface SourceGuard {
  /** Waits for the whole file to be looked at. @throws LabError when it is not the file that was loaded. */
  confirm(): Promise<void>
  close(): void
}

/**
 * Watches that a source file stays what it was when it was loaded, while somebody else reads it: its size now,
 * its SHA-256 (computed beside the reading), and that it is not touched between now and `confirm`.
 * A new time stamp alone, with the same bytes, is no change.
 */
export async function watchSource(file: FileFacts, signal: AbortSignal): Promise<SourceGuard> {
  const before = await look(file)
  if (before.size !== file.bytes) throw await sourceFailure(file, 'the size differs')
  const stopped = new AbortController()
  const hash = file.sha256 === null ? null : sha256(file.path, AbortSignal.any([signal, stopped.signal]))
  hash?.catch(() => undefined)
  return {
    confirm: () => confirmSame(file, before, hash),
    close: () => stopped.abort(),
  }
}

interface Looks {
  readonly size: number
  readonly mtimeMs: number
}

async function confirmSame(file: FileFacts, before: Looks, hash: Promise<string> | null): Promise<void> {
  const seen = await hash?.catch(async (thrown: unknown) => {
    throw await sourceFailure(file, thrown)
  })
  if (seen !== undefined && seen !== file.sha256) throw await sourceFailure(file, 'the content differs')
  const after = await look(file)
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw await sourceFailure(file, 'it was written to meanwhile')
  }
}

async function look(file: FileFacts): Promise<Looks> {
  return stat(file.path).catch(async (thrown: unknown) => {
    throw await sourceFailure(file, thrown)
  })
}

async function sha256(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const block of createReadStream(path, { signal, highWaterMark: 1 << 20 })) hash.update(block)
  return hash.digest('hex')
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
