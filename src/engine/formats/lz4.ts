const frameMagic = 0x184d2204
const smallestMatch = 4
const longerLength = 15

/** Said where compressed bytes make no sense. */
function damaged(): RangeError {
  return new RangeError('The LZ4 data is damaged.')
}

/**
 * Decodes an LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
 * @param at where in `into` it is written: blocks may refer to what stands before it
 * @returns the end of what was written
 * @throws RangeError
 */
export function decodeLz4Block(block: Uint8Array, into: Uint8Array, at: number): number {
  let from = 0
  const length = (nibble: number): number => {
    let sum = nibble
    for (let more = nibble === longerLength ? 255 : 0; more === 255; sum += more) {
      if (from >= block.length) throw damaged()
      more = block[from++]
    }
    return sum
  }
  while (from < block.length) {
    const token = block[from++]
    const literals = length(token >> 4)
    if (from + literals > block.length || at + literals > into.length) throw damaged()
    into.set(block.subarray(from, from + literals), at)
    from += literals
    at += literals
    // The last sequence has no match.
    if (from === block.length) return at
    const offset = block[from] | (block[from + 1] << 8)
    from += 2
    const match = length(token & 15) + smallestMatch
    if (offset === 0 || offset > at || at + match > into.length) throw damaged()
    copyMatch(into, at, offset, match)
    at += match
  }
  return at
}

/** A match may run into itself, and then repeats. */
function copyMatch(into: Uint8Array, at: number, offset: number, count: number): void {
  if (offset >= count) into.copyWithin(at, at - offset, at - offset + count)
  else for (let i = 0; i < count; i++) into[at + i] = into[at + i - offset]
}

/**
 * Decodes an LZ4 frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md); checksums are not looked at.
 * @param size bytes that it holds
 * @throws RangeError
 */
export function decodeLz4Frame(frame: Uint8Array, size: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length)
  if (view.getUint32(0, true) !== frameMagic) throw damaged()
  const flags = view.getUint8(4)
  const [hasBlockSum, hasSize, hasDictionary] = [0x10, 0x08, 0x01].map((bit) => (flags & bit) !== 0)
  if (hasDictionary) throw damaged()
  const into = new Uint8Array(size)
  let at = 0
  // Behind magic, flags, block size and the checksum of all these.
  for (let from = hasSize ? 15 : 7; ;) {
    const word = view.getUint32(from, true)
    from += 4
    if (word === 0) break
    const length = word & 0x7fffffff
    if (from + length > frame.length) throw damaged()
    const block = frame.subarray(from, from + length)
    from += length + (hasBlockSum ? 4 : 0)
    // The highest bit is that of a block that is not compressed.
    if (word < 0x80000000) at = decodeLz4Block(block, into, at)
    else {
      into.set(block, at)
      at += length
    }
  }
  if (at !== size) throw damaged()
  return into
}
