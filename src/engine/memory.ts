import { freemem } from 'node:os'

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30

/**
 * Memory this process could still take, in bytes. What the system calls free counts caches in; a container's
 * limit does not, so only this process's own use is taken from it.
 */
export function freeBytes(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.max(0, Math.min(freemem(), limit - process.memoryUsage.rss()))
}

/** Bytes as a sentence has them: whole MiB, from a GiB on with one decimal. */
export function sizeOf(bytes: number): string {
  return bytes < gibibyte ? `${Math.ceil(bytes / mebibyte)} MiB` : `${(bytes / gibibyte).toFixed(1)} GiB`
}
