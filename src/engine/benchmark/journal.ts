import { rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { BenchmarkDocument, CellKey, DamagedComparison } from '@shared/benchmark/document'
import { toErrorReport } from '@shared/errors'
import { printable } from '@shared/printable'
import { readTextWithin } from '../bounded-file'
import { writeAtomically } from '../export/atomic-file'
import { makeFolder } from '../export/make-folder'
import { replaceNow } from '../export/replace-now'
import { documentSchema } from './document-schema'

const documentEnding = '.benchmark.json'
const markEnding = '.running.json'
/** The longest comparisons take some MiB; a mark is one line. */
const maxDocumentBytes = 2 ** 28
const maxMarkBytes = 2 ** 16
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
  /** What could not be read, by the name of its file. */
  readonly #damaged = new Map<string, DamagedComparison>()
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

  /** Files of ours that hold no comparison any more, newest first. */
  async damaged(): Promise<DamagedComparison[]> {
    await this.#readOnce()
    return [...this.#damaged.values()].sort((a, b) => (a.writtenAt < b.writtenAt ? 1 : -1))
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
      await makeFolder(folder)
      await writeAtomically(
        this.#file(document.id, documentEnding),
        { replace: true, signal: never },
        (sink) => sink.write(`${JSON.stringify(document)}\n`),
      )
      return true
    } catch (error) {
      const { message } = toErrorReport(error)
      console.warn(printable(`A comparison could not be kept on disk: ${message}`))
      return false
    }
  }

  async forget(id: string): Promise<void> {
    await this.#readOnce()
    this.#documents.delete(id)
    if (this.#folder === null) return
    const damaged = [...this.#damaged].find(([, one]) => one.id === id)?.[0]
    const file = damaged === undefined ? this.#file(id, documentEnding) : join(this.#folder, damaged)
    if (damaged !== undefined) this.#damaged.delete(damaged)
    await rm(file, { force: true }).catch(() => undefined)
    await rm(this.#file(id, markEnding), { force: true }).catch(() => undefined)
  }

  /** Names the cell before its work begins: what is written is there whatever then happens to the process. */
  mark(id: string, mark: Mark): void {
    if (this.#folder === null) return
    try {
      replaceNow(this.#file(id, markEnding), JSON.stringify(mark))
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
    if (this.#folder === null) return null
    const read = await readAs(this.#file(id, markEnding), markSchema, maxMarkBytes)
    return read.ok ? read.value : null
  }

  /** What was running when its process ended can be resumed. */
  #readOnce(): Promise<void> {
    this.#read ??= this.#readAll()
    return this.#read
  }

  async #readAll(): Promise<void> {
    const folder = this.#folder
    if (folder === null) return
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((candidate) => candidate.endsWith(documentEnding))) {
      const read = await readAs(join(folder, name), documentSchema, maxDocumentBytes)
      if (read.ok) this.#documents.set(read.value.id, interrupted(read.value))
      else this.#damaged.set(name, await damagedFile(folder, name, read.wrong))
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

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly wrong: string }

/** What a file holds, or what is wrong with it, as the end of a sentence. */
async function readAs<T>(
  path: string,
  schema: v.GenericSchema<unknown, T>,
  maxBytes: number,
): Promise<Read<T>> {
  const read = await readTextWithin(path, maxBytes)
  if (read.kind !== 'text')
    return { ok: false, wrong: `cannot be read${read.kind === 'unfit' ? ` (${read.why})` : ''}` }
  try {
    const parsed = v.safeParse(schema, JSON.parse(read.text))
    if (parsed.success) return { ok: true, value: parsed.output }
    return { ok: false, wrong: `is damaged at ${v.getDotPath(parsed.issues[0]) ?? 'its beginning'}` }
  } catch {
    return { ok: false, wrong: 'is damaged (it is no JSON document)' }
  }
}

/** The id is that of the comparison it held, or the name of a file of somebody else. */
async function damagedFile(folder: string, name: string, wrong: string): Promise<DamagedComparison> {
  const written = await stat(join(folder, name)).catch(() => null)
  return {
    id: name.slice(0, -documentEnding.length),
    writtenAt: (written?.mtime ?? new Date(0)).toISOString(),
    sentence: `The file ${name} of an earlier comparison ${wrong}: put back a copy of it and start Centroid Lab again, or delete it.`,
  }
}
