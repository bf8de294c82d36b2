import type { CompileRequest, Constants } from './passes'

/** Bits of a word beside its sign. */
const wordBits = 31
/** From 2 to the power of so many points on either half of a whole number is at most 2^22 of magnitude. */
const magicBits = 17

/** The overrides of whole_numbers.wgsl: halves by how many points there are, so that as many coordinates as can be fit a sum of either. */
export function wholeConstants({ n }: Pick<CompileRequest, 'n'>): Constants {
  const bits = Math.ceil(Math.log2(n))
  return { lower_bits: wordBits - Math.floor(bits / 2), by_magic: bits >= magicBits ? 1 : 0 }
}

/** So many halves of one kind, and no more, can be added up in a word. */
export function maxHalvesAdded({ n }: Pick<CompileRequest, 'n'>): number {
  return 2 ** Math.ceil(Math.ceil(Math.log2(n)) / 2) - 1
}
