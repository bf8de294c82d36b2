import { readFileSync } from 'node:fs'
import { freemem } from 'node:os'
import { invalidArgument, LabError } from '@shared/errors'
import { byteSize, minMemoryLimit } from '@shared/memory-limits'

const mebibyte = 2 ** 20
const gibibyte = 2 ** 30

/** Of a bounded address space, what the JavaScript engine takes for itself while data are read: without it the process ends. */
const reservedBytes = 96 * mebibyte

/** Names of what a person may set, for the command line's own options too. */
export const limitNames = {
  memory: 'CENTROID_LAB_MEMORY_LIMIT',
  deviceMemory: 'CENTROID_LAB_DEVICE_MEMORY',
} as const

/** What lies in memory and need not. */
let disposable = { now: () => 0, most: 0 }

/**
 * How much memory this process shall take at most; null where nobody said.
 * @throws LabError `input` for what is no size, or less than 256 MiB
 */
export function memoryLimit(): number | null {
  const bytes = sizeSet(limitNames.memory)
  if (bytes === null || bytes >= minMemoryLimit) return bytes
  throw invalidArgument(`at least ${sizeOf(minMemoryLimit)}`, 'the memory limit', sizeOf(bytes))
}

/** The same of a GPU's memory. @throws LabError `input` for what is no size */
export function deviceMemoryLimit(): number | null {
  return sizeSet(limitNames.deviceMemory)
}

function sizeSet(name: string): number | null {
  const text = process.env[name]
  return text === undefined || text === '' ? null : parseSize(text, name)
}

/** `512M`, `1.5 GiB`: K, M, G and T are powers of 1024, as memory is counted. @throws LabError `input` */
export function parseSize(text: string, name: string): number {
  const bytes = byteSize(text)
  if (bytes !== null) return bytes
  throw invalidArgument('a size such as 512M or 4G', name, text)
}

/** @param now bytes in memory that give way when others are needed @param most that there will ever be */
export function declareDisposable(now: () => number, most: number): void {
  disposable = { now, most }
}

/**
 * Memory this process could still take, in bytes. What the system calls free counts caches in; a container's
 * limit does not, so only this process's own use is taken from it.
 */
export function freeBytes(): number {
  const own = process.memoryUsage.rss() - disposable.now()
  const contained = (process.constrainedMemory() || Number.POSITIVE_INFINITY) - own
  const allowed = (memoryLimit() ?? Number.POSITIVE_INFINITY) - own - disposable.most
  return Math.max(0, Math.min(freemem(), contained, allowed, freeAddresses()))
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

/** Behind a number of free bytes: whether a person allowed no more. */
export function withinLimit(): string {
  return memoryLimit() === null ? '' : ' within the memory limit'
}

/** What to do where `freeBytes` are too few: a clause. */
export function makeRoom(): string {
  if (Number.isFinite(freeAddresses())) return 'raise the limit of this program (ulimit -v)'
  return memoryLimit() === null ? 'close other programs' : 'raise the memory limit'
}

/** Bytes of addresses left under `ulimit -v`; without end where there is no such limit or no way to know. */
export function freeAddresses(): number {
  const most = numberIn('/proc/self/limits', /^Max address space +(\d+)/m)
  if (most === null) return Number.POSITIVE_INFINITY
  const used = numberIn('/proc/self/status', /^VmSize:\s+(\d+) kB/m) ?? 0
  return most - used * 1024 - reservedBytes
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
