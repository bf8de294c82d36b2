import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { LabError } from '@shared/errors'
import { readBytes } from '../csv/text-source'
import { scratchLocation } from '../scratch/scratch-file'

/**
 * The text of a packed file in a file of its own beside other scratch data, without a name: it is gone as soon as it is closed,
 * also when the process dies.
 * @throws LabError `scratch.full`, `scratch.failed`, `cancelled`, those of reading the file
 */
export async function unpackedCopy(path: string, signal: AbortSignal): Promise<FileHandle> {
  const folder = scratchLocation()
  const handle = await nameless(folder)
  try {
    for await (const block of readBytes(path, signal)) await writeAll(handle, block, folder)
    return handle
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}

async function nameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `unpacked-${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true })
    const handle = await open(path, 'wx+', 0o600)
    await unlink(path)
    return handle
  } catch (thrown) {
    throw new LabError(
      'io',
      'scratch.failed',
      `No scratch file can be made in ${folder}: choose another folder (--scratch).`,
      String(thrown),
    )
  }
}

async function writeAll(handle: FileHandle, block: Uint8Array, folder: string): Promise<void> {
  for (let done = 0; done < block.length;) {
    const { bytesWritten } = await handle.write(block, done).catch((thrown: unknown) => {
      throw new LabError(
        'io',
        'scratch.full',
        `The disk of the scratch folder ${folder} is full: make room there, or choose another folder (--scratch).`,
        String(thrown),
      )
    })
    done += bytesWritten
  }
}
