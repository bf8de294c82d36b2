/** How much of the machine may be taken, as a person says it in the window and on the command line. */

const mebibyte = 2 ** 20

/** What the program takes before any data are read, and then some. */
export const minMemoryLimit = 256 * mebibyte

const powers = ['', 'K', 'M', 'G', 'T']

/** `512M`, `1.5 GiB`: K, M, G and T are powers of 1024, as memory is counted; null for what is no size. */
export function byteSize(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*$/i.exec(text)
  const bytes = match ? Math.round(Number(match[1]) * 1024 ** powers.indexOf(match[2].toUpperCase())) : NaN
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : null
}

/** Sizes as typed; empty for what is free. */
export interface MemoryLimits {
  readonly memoryLimit: string
  readonly deviceMemory: string
}

/** What holds for what is loaded and clustered from now on. */
export interface MemoryState extends MemoryLimits {
  /** Where scratch files lie. */
  readonly scratchFolder: string
  /** It was chosen in the window. */
  readonly isChosen: boolean
  /** Where this program's scratch file lies already, until it ends; null where it has none, or that is the folder. */
  readonly heldFolder: string | null
}

/** Where the points of a run would lie, in sentences: where, why and how much. */
export interface RunMemory {
  /** Null where they fit nowhere. */
  readonly pointsIn: 'memory' | 'scratch' | null
  readonly sentence: string
}
