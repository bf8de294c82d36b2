import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunResult } from '@engine/run/run'
import { encodeFrame, FrameReader } from './framing'

/** A finished run without what can be made again from its file: dataset and prepared points. */
export type SpooledRun = Pick<
  RunResult,
  'record' | 'labels' | 'centroids' | 'initialCentroids' | 'centroidHistory'
> & { readonly datasetId: string }

/**
 * Finished runs on disk, one frame a file, so that a host that dies takes no result with it: the host that
 * follows is given the same folder. Main empties the folder when the program ends.
 */
export class Spool {
  /** @param folder null keeps nothing. */
  constructor(private readonly folder: string | null) {}

  /** Best effort: a full disk must not cost the person the result that is in memory. */
  async save(runId: string, run: SpooledRun): Promise<void> {
    if (this.folder === null) return
    try {
      await mkdir(this.folder, { recursive: true })
      await writeFile(this.file(runId), encodeFrame(run))
    } catch (error) {
      console.warn(`A result could not be kept for after a crash: ${String(error)}`)
      await this.remove(runId)
    }
  }

  /** Null when there is none, or none that can be read whole. */
  async load(runId: string): Promise<SpooledRun | null> {
    if (this.folder === null) return null
    try {
      const bytes = await readFile(this.file(runId))
      const runs = new FrameReader(bytes.length).push(bytes)
      return (runs[0] as SpooledRun | undefined) ?? null
    } catch {
      return null
    }
  }

  async remove(runId: string): Promise<void> {
    if (this.folder !== null) await rm(this.file(runId), { force: true })
  }

  /** Ids are made by us, but reach the host through a message: nothing but a plain name becomes a path. */
  private file(runId: string): string {
    return join(this.folder ?? '', `${runId.replaceAll(/[^\w-]/g, '_')}.run`)
  }
}
