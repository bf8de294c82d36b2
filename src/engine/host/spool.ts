import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunResult } from '@engine/run/run'
import type { RunRecord } from '@shared/run-record'
import { encodeFrame, FrameReader } from './framing'

/** A finished run without what can be made again from its file: dataset and prepared points. */
export type SpooledRun = Pick<
  RunResult,
  'record' | 'labels' | 'centroids' | 'initialCentroids' | 'centroidHistory'
> & { readonly datasetId: string }

/** What is kept of a finished run to the end of the session, its arrays forgotten or not: a few kilobytes. */
export interface RunFacts {
  readonly datasetId: string
  readonly record: Omit<RunRecord, 'history' | 'clusters'>
}

/** A larger file could not be read back in one piece. */
const mostBytes = 2 ** 31 - 1
const factsEnding = '.facts'

/**
 * Finished runs on disk, one frame a file, so that a host that dies takes no result with it, and memory can let
 * go of results nobody looks at: the host that follows is given the same folder. Main empties it when the program
 * ends.
 */
export class Spool {
  /** @param folder null keeps nothing. */
  constructor(private readonly folder: string | null) {}

  /** Best effort: a full disk must not cost the person the result that is in memory. @returns it is kept */
  async save(runId: string, run: SpooledRun): Promise<boolean> {
    return this.write(this.file(runId, '.run'), () => encodeFrame(run))
  }

  /** Null when there is none, or none that can be read whole. */
  async load(runId: string): Promise<SpooledRun | null> {
    return this.read<SpooledRun>(this.file(runId, '.run'))
  }

  async remove(runId: string): Promise<void> {
    if (this.folder !== null) await rm(this.file(runId, '.run'), { force: true })
  }

  async saveFacts(runId: string, facts: RunFacts): Promise<void> {
    await this.write(this.file(runId, factsEnding), () => encodeFrame({ runId, facts }))
  }

  /** Of every run of the session, also from before a crash. */
  async allFacts(): Promise<ReadonlyMap<string, RunFacts>> {
    const { folder } = this
    const names = folder === null ? [] : await readdir(folder).catch(() => [])
    const all = new Map<string, RunFacts>()
    for (const name of names.filter((candidate) => candidate.endsWith(factsEnding))) {
      const kept = await this.read<{ runId: string; facts: RunFacts }>(join(folder ?? '', name))
      if (kept !== null) all.set(kept.runId, kept.facts)
    }
    return all
  }

  private async write(path: string, frame: () => readonly Uint8Array[]): Promise<boolean> {
    if (this.folder === null) return false
    try {
      const pieces = frame()
      if (pieces.reduce((sum, piece) => sum + piece.byteLength, 0) > mostBytes) return false
      await mkdir(this.folder, { recursive: true })
      await writeFile(path, pieces)
      return true
    } catch (error) {
      console.warn(`A result could not be kept on disk: ${String(error)}`)
      await rm(path, { force: true }).catch(() => undefined)
      return false
    }
  }

  private async read<T>(path: string): Promise<T | null> {
    if (this.folder === null) return null
    try {
      const bytes = await readFile(path)
      const frames = new FrameReader(bytes.length).push(bytes)
      return (frames[0] as T | undefined) ?? null
    } catch {
      return null
    }
  }

  /** Ids are made by us, but reach the host through a message: nothing but a plain name becomes a path. */
  private file(runId: string, ending: string): string {
    return join(this.folder ?? '', `${runId.replaceAll(/[^\w-]/g, '_')}${ending}`)
  }
}
