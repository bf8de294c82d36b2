import * as v from 'valibot'
import { byteSize, minMemoryLimit } from '@shared/memory-limits'

const size = (least: number, words: string) =>
  v.pipe(
    v.string(),
    v.maxLength(30),
    v.check((text) => text === '' || (byteSize(text) ?? 0) >= least, words),
  )

/** Sizes as a person types them; empty for none. */
export const memoryLimitEntries = {
  memoryLimit: size(minMemoryLimit, 'a size of at least 256 MiB, such as 512M or 4G'),
  deviceMemory: size(1, 'a size such as 512M or 4G'),
}
