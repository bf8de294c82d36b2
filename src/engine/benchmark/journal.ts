import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { BenchmarkDocument, CellKey } from '@shared/benchmark/document'
import { writeAtomically } from '../export/atomic-file'
import { documentSchema } from './document-schema'

const documentEnding = '.benchmark.json'
const markEnding = '.running.json'
const never = new AbortController().signal

const markSchema = v.object({
  cell: v.nullable(v.object({ dataset: v.string(), k: v.number(), contender: v.string() })),
  deaths: v.number(),
})

/** Which cell was at work, and how often in a row the process ended while it was. */
export interface Mark {
  readonly cell: CellKey | null
  readonly deaths: number
}

/**
 * Comparisons on disk, each a document that is written whole or not at all, and beside it the cell that is at work. A
 * disk that is full or read-only costs what is kept, not the comparison: it stays in memory.
 */
export class Journal {
  readonly #folder: string | null
  readonly #documents = new Map<string, BenchmarkDocument>()
  #read: Promise<void> | null = null
  /** Documents are written one after the other: the last one kept is the one that stays. */
  #writing: Promise<unknown> = Promise.resolve()

  /** @param folder null keeps everything in memory only */
  constructor(folder: string | null) {
    this.#folder = folder
  }

  /** Newest first. */
  async all(): Promise<BenchmarkDocument[]> {
    await this.#readOnce()
    return [...this.#documents.values()].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))
  }

  async get(id: string): Promise<BenchmarkDocument | null> {
    await this.#readOnce()
    return this.#documents.get(id) ?? null
  }

  /** Never throws. @returns it is on disk */
  async keep(document: BenchmarkDocument): Promise<boolean> {
    await this.#readOnce()
    this.#documents.set(document.id, document)
    const folder = this.#folder
    if (folder === null) return false
    const written = this.#writing.then(() => this.#write(folder, document))
    this.#writing = written
    return written
  }

  async #write(folder: string, document: BenchmarkDocument): Promise<boolean> {
    try {
      await mkdir(folder, { recursive: true })
      await writeAtomically(
        this.#file(document.id, documentEnding),
        { replace: true, signal: never },
        (sink) => sink.write(`${JSON.stringify(document)}\n`),
      )
      return true
    } catch (error) {
      console.warn(`A comparison could not be kept on disk: ${String(error)}`)
      return false
    }
  }

  async forget(id: string): Promise<void> {
    await this.#readOnce()
    this.#documents.delete(id)
    if (this.#folder === null) return
    await rm(this.#file(id, documentEnding), { force: true }).catch(() => undefined)
    await rm(this.#file(id, markEnding), { force: true }).catch(() => undefined)
  }

  /** Names the cell before its work begins: what is written is there whatever then happens to the process. */
  mark(id: string, mark: Mark): void {
    if (this.#folder === null) return
    try {
      mkdirSync(this.#folder, { recursive: true })
      writeFileSync(this.#file(id, markEnding), JSON.stringify(mark))
    } catch {
      // Then nobody knows which cell it was, and it is run once more.
    }
  }

  unmark(id: string): void {
    if (this.#folder === null) return
    try {
      rmSync(this.#file(id, markEnding), { force: true })
    } catch {
      // A mark of a comparison that ended well is never read.
    }
  }

  async lastMark(id: string): Promise<Mark | null> {
    return this.#folder === null ? null : readAs(this.#file(id, markEnding), markSchema)
  }

  /** What was running when its process ended can be gone on with. */
  #readOnce(): Promise<void> {
    this.#read ??= this.#readAll()
    return this.#read
  }

  async #readAll(): Promise<void> {
    const folder = this.#folder
    if (folder === null) return
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((candidate) => candidate.endsWith(documentEnding))) {
      const document = await readAs(join(folder, name), documentSchema)
      if (document !== null) this.#documents.set(document.id, interrupted(document))
    }
  }

  /** Ids are made by us, but reach the host through a message: nothing but a plain name becomes a path. */
  #file(id: string, ending: string): string {
    return join(this.#folder ?? '', `${id.replaceAll(/[^\w-]/g, '_')}${ending}`)
  }
}

function interrupted(document: BenchmarkDocument): BenchmarkDocument {
  return document.state === 'running' ? { ...document, state: 'interrupted' } : document
}

/** Null for what is missing or damaged. */
async function readAs<T>(path: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}
