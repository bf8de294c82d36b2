import { readFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { LabError } from '@shared/errors'

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30

/** Of a bounded address space, what the JavaScript engine takes for itself while data are read: without it the process ends. */
const reservedBytes = 96 * mebibyte

/**
 * Memory this process could still take, in bytes. What the system calls free counts caches in; a container's
 * limit does not, so only this process's own use is taken from it.
 */
export function freeBytes(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.max(0, Math.min(freemem(), limit - process.memoryUsage.rss(), freeAddresses()))
}

/** Threads and libraries of this program take so many addresses before any data are read. */
const startingBytes = 300 * mebibyte

/** Refuses to start where `ulimit -v` would end the process without a word. @throws LabError `system.no-memory` */
export function requireAddresses(): void {
  if (freeAddresses() + reservedBytes >= startingBytes) return
  throw new LabError(
    'io',
    'system.no-memory',
    'The address space of this program is limited too tightly: raise the limit (ulimit -v), best to unlimited.',
  )
}

/** What to do where `freeBytes` are too few: a clause. */
export function makeRoom(): string {
  return Number.isFinite(freeAddresses())
    ? 'raise the limit of this program (ulimit -v)'
    : 'close other programs'
}

/** Bytes of addresses left under `ulimit -v`; without end where there is no such limit or no way to know. */
function freeAddresses(): number {
  const limit = numberIn('/proc/self/limits', /^Max address space +(\d+)/m)
  if (limit === null) return Number.POSITIVE_INFINITY
  const used = numberIn('/proc/self/status', /^VmSize:\s+(\d+) kB/m) ?? 0
  return limit - used * 1024 - reservedBytes
}

function numberIn(path: string, pattern: RegExp): number | null {
  try {
    const found = pattern.exec(readFileSync(path, 'utf8'))
    return found && Number(found[1])
  } catch {
    return null
  }
}

/** Bytes as a sentence has them: whole MiB, from a GiB on with one decimal. */
export function sizeOf(bytes: number): string {
  return bytes < gibibyte ? `${Math.ceil(bytes / mebibyte)} MiB` : `${(bytes / gibibyte).toFixed(1)} GiB`
}
