import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { LabError } from '@shared/errors'
import { cacheFolder } from '../cache-folder'
import { loadCpuAddon, type NativeScratch } from '../engines/native'
import { makeFolderNow } from '../export/make-folder'
import { declareDisposable, freeAddresses, freeBytes, memoryLimit, sizeOf } from '../memory'
import { scratchVariable } from './scratch-variable'

const mebibyte = 2 ** 20

/** Of the file, what stays in memory at least: less would read it again and again. */
const minResident = 64 * mebibyte
/** Of a memory limit, what is left to the file. */
const residentShare = 1 / 4

/** File systems that lie in memory themselves (statfs): tmpfs, ramfs. */
const memoryFileSystems = [0x01021994, 0x858458f6]

let opened: { readonly file: NativeScratch; readonly folder: string } | null = null

/** The one that was set, else beside what is kept for this user. */
export function scratchFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env[scratchVariable] || join(cacheFolder(env), 'scratch')
}

/** Why a scratch file cannot hold so many bytes: a clause; null where it can. */
export function scratchRefusal(bytes: number, folder = scratchLocation()): string | null {
  if (loadCpuAddon().addon?.Scratch === undefined)
    return 'the CPU engine, which keeps scratch files, is missing'
  if (Number.isFinite(freeAddresses())) return 'a limit on addresses (ulimit -v) forbids scratch files'
  try {
    makeFolderNow(folder)
    const { bavail, bsize, type } = statfsSync(folder)
    if (memoryFileSystems.includes(type)) return `the scratch folder ${folder} lies in memory itself`
    const free = bavail * bsize
    return bytes <= free ? null : `the disk of the scratch folder ${folder} has ${sizeOf(free)} left`
  } catch {
    return `the scratch folder ${folder} cannot be used`
  }
}

/** Whether large arrays that the engine on the processor makes from now on lie in the scratch file. @throws LabError `scratch.failed` */
export function lendToEngine(whether: boolean): void {
  // A file that was never opened lends nothing.
  if (whether) opened ??= openScratch()
  opened?.file.lend(whether)
}

/** Of the file that this process has already; null where it has none. */
export function openedScratchFolder(): string | null {
  return opened?.folder ?? null
}

/** Where what is allocated next lies: one file serves a process until it ends. */
export function scratchLocation(): string {
  return openedScratchFolder() ?? scratchFolder()
}

/** What of a scratch file stays in memory at most. */
export function residentBytes(): number {
  const limit = memoryLimit()
  return Math.max(minResident, Math.floor(limit === null ? freeBytes() / 2 : limit * residentShare))
}

function openScratch() {
  const folder = scratchFolder()
  const Scratch = loadCpuAddon().addon?.Scratch
  const most = residentBytes()
  try {
    if (Scratch === undefined) throw new Error('no addon')
    const file = new Scratch(folder, most)
    // Without a limit the system takes back what others need.
    declareDisposable(() => file.resident(), memoryLimit() === null ? 0 : most)
    return { file, folder }
  } catch (error) {
    throw scratchFailure(error, folder)
  }
}

/** @throws LabError `scratch.full`, `scratch.failed` */
export function allocateScratch(bytes: number): ArrayBuffer {
  const { file, folder } = (opened ??= openScratch())
  try {
    return file.allocate(bytes)
  } catch (error) {
    throw scratchFailure(error, folder)
  }
}

function scratchFailure(error: unknown, folder: string): LabError {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  const cause = error instanceof Error ? error.message : String(error)
  return isFull
    ? new LabError(
        'io',
        'scratch.full',
        `The disk of the scratch folder ${folder} is full: make room there, or choose another folder (--scratch).`,
        cause,
      )
    : new LabError(
        'io',
        'scratch.failed',
        `No scratch file can be made in ${folder}: choose another folder (--scratch).`,
        cause,
      )
}
