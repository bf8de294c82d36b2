import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { importOverrides } from '@engine/csv/import-overrides-schema'
import type { ImportOverrides } from '@shared/dataset'
import { readJson, writeJsonNow } from './json-file'

/** The data file on screen, and under which id its results were made. */
export interface KeptFile {
  readonly path: string
  readonly overrides: ImportOverrides
  readonly datasetId: string
}

const fileSchema = v.object({
  path: v.pipe(v.string(), v.minLength(1)),
  overrides: importOverrides,
  datasetId: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
})
const sessionSchema = v.object({ file: fileSchema, attempts: v.pipe(v.number(), v.integer(), v.minValue(0)) })

/** A file that ends the program each time it is opened must not keep it from starting. */
const mostAttempts = 2

/**
 * What was on screen, on disk at every moment: found at a start, it says that the program was ended before, by
 * whomever, without its window being closed.
 */
export class KeptSession {
  readonly #path: string
  #file: KeptFile | null = null
  #waiting = false
  /** Is being opened again: its results are still its own. */
  #resumed: KeptFile | null = null

  /** @param folder of the person's data */
  constructor(folder: string) {
    this.#path = join(folder, 'session.json')
  }

  /** Looks for what an earlier start left. @returns there is something to be opened again */
  async load(): Promise<boolean> {
    const stored = await readJson(this.#path, sessionSchema)
    if (stored === null || stored.attempts >= mostAttempts) return false
    this.#file = stored.file
    this.#waiting = true
    writeJsonNow(this.#path, { ...stored, attempts: stored.attempts + 1 })
    return true
  }

  /** What is to be opened again, told once. */
  take(): KeptFile | null {
    const file = this.#waiting ? this.#file : null
    this.#waiting = false
    if (file !== null) this.#resumed = file
    return file
  }

  /** The page went away by itself: what it showed is to be opened again. */
  interrupted(): void {
    this.#waiting = this.#file !== null
  }

  /** The id under which a file that is opened again was open before, told once; null for any other file. */
  resume(path: string): string | null {
    const file = this.#resumed
    this.#resumed = null
    return file?.path === path ? file.datasetId : null
  }

  opened(file: KeptFile): void {
    this.#file = file
    writeJsonNow(this.#path, { file, attempts: 0 })
  }

  closed(datasetId: string): void {
    if (this.#file?.datasetId === datasetId) this.forget()
  }

  /** Ended on purpose: the next start begins with nothing. */
  forget(): void {
    this.#file = null
    this.#waiting = false
    this.#resumed = null
    try {
      rmSync(this.#path, { force: true })
    } catch (error) {
      console.warn(`The session could not be forgotten: ${String(error)}`)
    }
  }

  get datasetId(): string | null {
    return this.#file?.datasetId ?? null
  }
}
