import type { FileHandle } from 'node:fs/promises'

/** More is not read by one call, which the system bounds. */
const maxReadBytes = 1 << 30

/** Bytes of a file. @throws RangeError where it does not have them */
export async function readAt(
  handle: FileHandle,
  from: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!(length >= 0)) throw new RangeError(`${length} bytes cannot be read.`)
  const bytes = new Uint8Array(length)
  await readInto(handle, from, bytes)
  return bytes
}

/** The same into bytes that are there. @throws RangeError */
export async function readInto(handle: FileHandle, from: number, bytes: Uint8Array): Promise<void> {
  const { length } = bytes
  for (let done = 0; done < length;) {
    const part = Math.min(maxReadBytes, length - done)
    const { bytesRead } = await handle.read(bytes, done, part, from + done)
    if (bytesRead === 0) throw new RangeError(`The file ends at ${from + done} of ${from + length} bytes.`)
    done += bytesRead
  }
}
