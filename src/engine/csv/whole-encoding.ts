import { isAscii } from 'node:buffer'
import type { EncodingFound } from './encoding'
import { grouped } from './import-notes'
import { readBytes } from './text-source'
import { cutBytes, sequenceLength } from './utf8'

/** What a file shows of UTF-8: characters of several bytes, and bytes that belong to none. */
interface Census {
  valid: number
  invalid: number
}

/**
 * The encoding of a file whose first block was valid UTF-8 and whose row `record` is not: UTF-8 with damage when
 * most of what is not ASCII is valid, else Latin-1.
 */
export async function encodingOfWhole(
  path: string,
  record: number,
  signal: AbortSignal,
): Promise<EncodingFound | null> {
  const census: Census = { valid: 0, invalid: 0 }
  let cut = Buffer.alloc(0)
  for await (const block of readBytes(path, signal)) {
    const bytes = Buffer.concat([cut, block])
    const whole = bytes.length - cutBytes(bytes)
    take(census, bytes.subarray(0, whole))
    cut = Buffer.from(bytes.subarray(whole))
  }
  take(census, cut)
  if (census.valid > census.invalid) return null
  const because = `Row ${grouped(record)} has bytes that are not valid UTF-8: the whole file was read as Latin-1 (windows-1252).`
  return { encoding: 'latin1', bom: false, because, overridden: false, doubtful: true }
}

function take(census: Census, bytes: Uint8Array): void {
  if (isAscii(bytes)) return
  for (let at = 0; at < bytes.length;) {
    const size = sequenceLength(bytes, at)
    if (size > 1) census.valid++
    else if (size === 0) census.invalid++
    at += Math.max(1, size)
  }
}
