import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { throwIfAborted } from './slices'

/** Null for a file that cannot be read. @throws LabError `cancelled` */
export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
      hash.update(piece as Buffer)
    }
  } catch (thrown) {
    if (signal) throwIfAborted(signal)
    if (thrown instanceof Error && 'code' in thrown) return null
    throw thrown
  }
  return hash.digest('hex')
}
