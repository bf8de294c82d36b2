import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { writeFailure } from '@engine/export/file-errors'
import { makeFolder } from '@engine/export/make-folder'
import type { KeptProfile } from '@engine/quality/kept-profile'
import type { RunDocument } from '@engine/export/run-document'
import type { Checkpoint, RunResult } from '@engine/run/types'
import type { StoredScan } from '@engine/scan/scan'
import { toErrorReport } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import type { EngineId } from '@shared/variant'
import { encodeFrame, FrameReader } from './framing'
import { packed, unpacked, type PackedCheckpoint } from './packed-checkpoint'

/** A finished run without what can be made again from its file: dataset and prepared points. */
export type SpooledRun = Pick<
  RunResult,
  'record' | 'labels' | 'centroids' | 'initialCentroids' | 'centroidHistory'
> & {
  readonly datasetId: string
  /** What run.json says beside its tables; absent in what an earlier version kept. */
  readonly document?: RunDocument
  /** Where it was computed. */
  readonly profile?: KeptProfile
}

/** What is kept of a finished run until its dataset is discarded, its arrays forgotten or not: a few kilobytes. */
export interface RunFacts {
  readonly datasetId: string
  readonly record: Omit<RunRecord, 'history' | 'clusters'>
}

/** Where a run under way stood, with all that it takes to go on with it. */
export interface KeptCheckpoint {
  readonly runId: string
  readonly datasetId: string
  /** Of the file. */
  readonly sha256: string | null
  readonly config: RunConfig
  /** What went on with it last, once it had been lost before. */
  readonly engine: EngineId | null
  readonly checkpoint: Checkpoint
  /** Date.now(). */
  readonly savedMs: number
}

type OnDisk<T> = Omit<T, 'checkpoint'> & { readonly checkpoint: PackedCheckpoint }

/** What is kept of the runs on one dataset. */
export interface KeptRuns {
  /** Finished, with all their arrays. */
  readonly runs: number
  /** A run that was cut off can go on. */
  readonly isCutOff: boolean
}

/** A larger file could not be read back in one piece. */
const maxFileBytes = 2 ** 31 - 1
/**
 * All results together; beyond, the oldest of the dataset that is worked on go, and those kept of others never do. Facts do not
 * count: they are a few kilobytes.
 */
export const maxSpoolBytes = 4 * 2 ** 30
const runEnding = '.run'
const factsEnding = '.facts'
const profileEnding = '.profile'
const checkpointEnding = '.checkpoint'
const scanEnding = '.scan'
const unfinished = '.new'
/** What this program itself was writing: a checkpoint lies in a folder of the person's, beside whatever else is there. */
const unfinishedForm = /^[\w-]+\.(run|facts|profile|checkpoint|scan)\.new$/
/** Nobody else on the machine reads them. */
const ownFile = 0o600

/**
 * Finished runs on disk, one frame a file, so that a host that dies takes no result with it, and memory can let
 * go of results nobody looks at: the host that follows is given the same folder, and so is the next start of the
 * program. What is kept of a dataset goes when the person discards it, and a run when the person removes it.
 */
export class Spool {
  /** Since something was kept last, it was told that nothing can be. */
  private isReported = false

  /** @param folder null keeps nothing. */
  constructor(
    private readonly folder: string | null,
    private readonly maxBytes = maxSpoolBytes,
    /** Told why something could not be kept, in one sentence: once, until something is kept again. */
    private readonly report: (sentence: string) => void = (sentence) => console.warn(sentence),
  ) {}

  /**
   * Best effort: a full disk must not cost the person the result that is in memory. Where all results together are
   * too large, the oldest of the same dataset go, and where that is not enough this one is not kept.
   * @returns it is kept
   */
  async save(runId: string, run: SpooledRun): Promise<boolean> {
    const kept = await this.write(this.file(runId, runEnding), () => encodeFrame(run))
    if (!kept || (await this.makeRoom(runId, run.datasetId))) return kept
    await this.remove(runId)
    return false
  }

  /** Null when there is none, or none that can be read whole. */
  async load(runId: string): Promise<SpooledRun | null> {
    return this.read<SpooledRun>(this.file(runId, runEnding))
  }

  async remove(runId: string): Promise<void> {
    if (this.folder === null) return
    await rm(this.file(runId, runEnding), { force: true })
    await rm(this.file(runId, profileEnding), { force: true })
  }

  /** Best effort, as `save`: it can be computed again while its file is there. */
  async saveProfile(runId: string, profile: KeptProfile): Promise<boolean> {
    return this.write(this.file(runId, profileEnding), () => encodeFrame(profile))
  }

  /** Null where none was computed, or none can be read whole. */
  async loadProfile(runId: string): Promise<KeptProfile | null> {
    return this.read<KeptProfile>(this.file(runId, profileEnding))
  }

  async saveFacts(runId: string, facts: RunFacts): Promise<void> {
    await this.write(this.file(runId, factsEnding), () => encodeFrame({ runId, facts }))
  }

  /** Has a run with its arrays. */
  async has(runId: string): Promise<boolean> {
    return this.folder !== null && (await stat(this.file(runId, runEnding)).catch(() => null)) !== null
  }

  /** Of every run of the session, also from before a crash. */
  async allFacts(): Promise<ReadonlyMap<string, RunFacts>> {
    const all = await this.readAll<{ runId: string; facts: RunFacts }>(factsEnding)
    return new Map(all.map(({ runId, facts }) => [runId, facts]))
  }

  /** In place of an earlier one of the same run, which stays whole until then. Best effort, as `save`. */
  async saveCheckpoint(runId: string, kept: KeptCheckpoint): Promise<boolean> {
    const frame = () => encodeFrame({ ...kept, checkpoint: packed(kept.checkpoint) })
    return this.write(this.file(runId, checkpointEnding), frame)
  }

  /** Of every run that was under way when its device or its host was lost. */
  async checkpoints(): Promise<ReadonlyMap<string, KeptCheckpoint>> {
    const all = await this.readAll<OnDisk<KeptCheckpoint>>(checkpointEnding)
    return new Map(all.map((kept) => [kept.runId, { ...kept, checkpoint: unpacked(kept.checkpoint) }]))
  }

  /** Best effort: one that stays must not make a run fail that is done. */
  async removeCheckpoint(runId: string): Promise<void> {
    if (this.folder === null) return
    const path = this.file(runId, checkpointEnding)
    const gone = [path, `${path}${unfinished}`].map((each) =>
      rm(each, { force: true }).catch(() => undefined),
    )
    await Promise.all(gone)
  }

  /** How far a scan has come, in place of what was kept of it before. Best effort, as `save`. */
  async saveScan(scanId: string, scan: StoredScan): Promise<boolean> {
    return this.write(this.file(scanId, scanEnding), () => encodeFrame(scan))
  }

  /** Null when there is none, or none that can be read whole. */
  async loadScan(scanId: string): Promise<StoredScan | null> {
    return this.read<StoredScan>(this.file(scanId, scanEnding))
  }

  /** Best effort, as `removeCheckpoint`. */
  async removeScan(scanId: string): Promise<void> {
    if (this.folder !== null) await rm(this.file(scanId, scanEnding), { force: true }).catch(() => undefined)
  }

  /** Removes what a process before this one was writing when it was killed. */
  async removeUnfinished(): Promise<void> {
    const { folder } = this
    if (folder === null) return
    const names = (await this.names()).filter((name) => unfinishedForm.test(name))
    await Promise.all(names.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)))
  }

  /** What there is of each dataset, by its id. */
  async keptRuns(): Promise<ReadonlyMap<string, KeptRuns>> {
    const [facts, checkpoints, names] = [await this.allFacts(), await this.checkpoints(), await this.names()]
    const whole = new Set(names)
    const kept = new Map<string, KeptRuns>()
    const of = (datasetId: string) => kept.get(datasetId) ?? { runs: 0, isCutOff: false }
    for (const [runId, { datasetId }] of facts) {
      if (!whole.has(basename(this.file(runId, runEnding)))) continue
      kept.set(datasetId, { ...of(datasetId), runs: of(datasetId).runs + 1 })
    }
    for (const { datasetId } of checkpoints.values())
      kept.set(datasetId, { ...of(datasetId), isCutOff: true })
    return kept
  }

  /** Everything that was made on a dataset, at the word of the person. */
  async discard(datasetId: string): Promise<void> {
    const finished = [...(await this.allFacts())].filter(([, facts]) => facts.datasetId === datasetId)
    const cutOff = [...(await this.checkpoints())].filter(([, kept]) => kept.datasetId === datasetId)
    for (const [runId] of finished) {
      await this.remove(runId)
      await rm(this.file(runId, factsEnding), { force: true })
    }
    for (const [runId] of cutOff) await this.removeCheckpoint(runId)
  }

  private async names(): Promise<readonly string[]> {
    return this.folder === null ? [] : await readdir(this.folder).catch(() => [])
  }

  private async readAll<T>(ending: string): Promise<T[]> {
    const names = (await this.names()).filter((name) => name.endsWith(ending))
    const paths = names.map((name) => join(this.folder ?? '', name))
    const all: T[] = []
    for (const path of paths) {
      const kept = await this.read<T>(path)
      if (kept !== null) all.push(kept)
    }
    return all
  }

  /** Also of results that a host before this one left. The newest stays: it is what was just asked for. */
  private async makeRoom(newest: string, datasetId: string): Promise<boolean> {
    const files = await this.runFiles()
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (bytes <= this.maxBytes) return true
    const own = await this.runFilesOf(datasetId, newest)
    for (const { path, size } of files.sort((a, b) => a.writtenMs - b.writtenMs)) {
      if (bytes <= this.maxBytes) break
      if (!own.has(path)) continue
      await rm(path, { force: true }).catch(() => undefined)
      bytes -= size
    }
    return bytes <= this.maxBytes
  }

  private async runFilesOf(datasetId: string, but: string): Promise<ReadonlySet<string>> {
    const all = await this.allFacts()
    const own = [...all].filter(([runId, facts]) => facts.datasetId === datasetId && runId !== but)
    return new Set(own.map(([runId]) => this.file(runId, runEnding)))
  }

  private async runFiles(): Promise<{ path: string; size: number; writtenMs: number }[]> {
    const names = (await this.names()).filter((name) => name.endsWith(runEnding))
    const paths = names.map((name) => join(this.folder ?? '', name))
    const files = await Promise.all(
      paths.map(async (path) => {
        const facts = await stat(path).catch(() => null)
        return facts && { path, size: facts.size, writtenMs: facts.mtimeMs }
      }),
    )
    return files.filter((file) => file !== null)
  }

  /** Whole or not at all: whatever ends this process leaves no half of a file under its name. */
  private async write(path: string, frame: () => readonly Uint8Array[]): Promise<boolean> {
    if (this.folder === null) return false
    const temporary = `${path}${unfinished}`
    try {
      const pieces = frame()
      const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
      if (bytes > Math.min(maxFileBytes, this.maxBytes)) return false
      await makeFolder(this.folder)
      await writeFile(temporary, pieces, { mode: ownFile })
      await rename(temporary, path)
      this.isReported = false
      return true
    } catch (error) {
      const failure = toErrorReport(writeFailure(error, path))
      if (!this.isReported) this.report(`What was computed could not be kept on disk: ${failure.message}`)
      this.isReported = true
      await rm(temporary, { force: true }).catch(() => undefined)
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
