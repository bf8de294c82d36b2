import type { EncodingFound } from './encoding'
import { grouped } from './import-notes'
import { readBytes } from './text-source'
import { countSequences, cutBytes, isMostlyUtf8, type Utf8Census } from './utf8'

/** Is a file that is not valid UTF-8 damaged UTF-8? Else it is Latin-1. */
export async function isDamagedUtf8(path: string, signal: AbortSignal): Promise<boolean> {
  const census: Utf8Census = { valid: 0, invalid: 0 }
  let cut = Buffer.alloc(0)
  for await (const block of readBytes(path, signal)) {
    const bytes = Buffer.concat([cut, block])
    const whole = bytes.length - cutBytes(bytes)
    countSequences(census, bytes.subarray(0, whole))
    cut = Buffer.from(bytes.subarray(whole))
  }
  countSequences(census, cut)
  return isMostlyUtf8(census)
}

/** Of a file whose first block looked like UTF-8, and whose row `record` is the first to show that it is Latin-1. */
export function latin1From(record: number): EncodingFound {
  const because = `Row ${grouped(record)} has bytes that are not valid UTF-8: the whole file was read as Latin-1 (windows-1252).`
  return { encoding: 'latin1', bom: false, because, overridden: false, doubtful: true }
}

/** Of a file whose first block looked like Latin-1. */
export const damagedUtf8: EncodingFound = {
  encoding: 'utf-8',
  bom: false,
  because: 'Most of what is not ASCII in the whole file is valid UTF-8, so it was read as UTF-8.',
  overridden: false,
  doubtful: true,
}
