import { hashed, type Dataset } from '@engine/dataset/dataset'
import { runDocument } from '@engine/export/run-document'
import { preparationOf } from '@engine/dataset/preparation'
import { prepare } from '@engine/dataset/prepare'
import type { Preparation, PreparedPoints } from '@engine/dataset/prepared'
import { samePreparation } from '@engine/dataset/same-preparation'
import type { KeptProfile } from '@engine/quality/kept-profile'
import type { RunResult } from '@engine/run/types'
import type { KeptRun } from '@engine/run-file/kept-run'
import { keptRunOf, keptRunOfDocument } from '@engine/run-file/kept-run-of'
import { LabError } from '@shared/errors'
import { precisionOf } from '@shared/precision'
import type { RunRecord } from '@shared/run-record'
import type { ListedRecord } from '@shared/session-requests'
import type { VerificationMark } from '@shared/verification'
import type { RunFacts, Spool, SpooledRun } from './spool'

/** Results whose arrays stay in memory; older ones are read back from the spool when somebody asks. */
export const maxInMemory = 3
/** Results listed again after a crash. */
const maxKept = 100

interface RunEntry {
  readonly datasetId: string
  /** Of the run while it works; afterwards of what is computed from its result. */
  controller: AbortController
  finished: boolean
  /** Memory may let go of the arrays. */
  spooled: boolean
  result: RunResult | null
}

/** What runs need to know of the datasets they were made on. */
export interface OpenDatasets {
  find(id: string): { readonly dataset: Dataset; readonly closed: AbortSignal } | null
}

/** The runs of the session, by id: those under way, their results, and what is kept of the forgotten. */
export class RunResults {
  /** In the order of use: the last one was used last. */
  private readonly runs = new Map<string, RunEntry>()
  private readonly known = new Map<string, RunFacts>()
  private readonly forgotten = new Set<string>()
  /** Runs that are being restored, so that several questions at once restore one only once. */
  private readonly restoring = new Map<string, Promise<RunResult>>()
  /** Of runs that are not on the disk. */
  private readonly unspooled = new Map<string, KeptRun>()
  private earlier: Promise<void> | null = null

  private readonly forgetListeners: ((runId: string) => void)[] = []

  constructor(
    private readonly spool: Spool,
    private readonly datasets: OpenDatasets,
  ) {}

  /** For what else is kept of a run. */
  onForget(listener: (runId: string) => void): void {
    this.forgetListeners.push(listener)
  }

  /** A result whose arrays are in memory; null for others. */
  held(runId: string): RunResult | null {
    return this.runs.get(runId)?.result ?? null
  }

  /** A run is under way. */
  get isWorking(): boolean {
    return [...this.runs.values()].some(({ finished }) => !finished)
  }

  begin(runId: string, datasetId: string): AbortSignal {
    const controller = new AbortController()
    this.runs.set(runId, { datasetId, controller, finished: false, spooled: false, result: null })
    return controller.signal
  }

  /**
   * Keeps a result, unless the run was forgotten while it worked.
   * @param restMs it is written down after so long, unless it is forgotten until then: of results that follow one another quickly
   *   only the last is wanted
   */
  async finish(runId: string, result: RunResult, restMs = 0): Promise<void> {
    const entry = this.runs.get(runId)
    if (entry === undefined) return
    entry.finished = true
    entry.controller = new AbortController()
    entry.result = this.sharing(result)
    if (restMs > 0) setTimeout(() => void this.keepUnlessForgotten(runId, entry, result), restMs).unref()
    else await this.keepUnlessForgotten(runId, entry, result)
    this.makeRoom()
  }

  private async keepUnlessForgotten(runId: string, entry: RunEntry, result: RunResult): Promise<void> {
    if (!this.forgotten.has(runId)) await this.keep(runId, entry, result)
    if (this.forgotten.has(runId)) await this.spool.remove(runId)
  }

  /** Cancelled or failed: there is nothing to keep. */
  drop(runId: string): void {
    this.runs.delete(runId)
  }

  /** Cancelling a run that is over changes nothing. */
  cancel(runId: string): void {
    const entry = this.runs.get(runId)
    if (entry?.finished === false) entry.controller.abort()
  }

  /** Records of the runs on a dataset whose arrays can be had, newest first, at most `maxKept`. */
  async kept(datasetId: string): Promise<readonly RunRecord[]> {
    await this.readEarlier()
    const made = [...this.known].filter(([, facts]) => facts.datasetId === datasetId).map(([runId]) => runId)
    const source = this.datasets.find(datasetId)?.dataset
    // Who has no runs need not wait.
    const sha256 = source && made.length > 0 ? (await hashed(source)).file.sha256 : undefined
    const records: RunRecord[] = []
    // One after the other: the arrays of all at once could be too many.
    for (const runId of made.filter((id) => !this.forgotten.has(id))) {
      const record = this.runs.get(runId)?.result?.record ?? (await this.spool.load(runId))?.record
      // A file that changed since would give other points than the labels were made for.
      const verified = this.known.get(runId)?.record.verified
      if (record !== undefined && record.file.sha256 === sha256)
        records.push({ ...record, ...(verified && { verified }) })
    }
    return records.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1)).slice(0, maxKept)
  }

  /** Records of the runs on some datasets that can still be had, loaded or not, newest first; the large tables left out. */
  async listed(datasetIds: ReadonlySet<string>): Promise<readonly ListedRecord[]> {
    await this.readEarlier()
    const listed: ListedRecord[] = []
    for (const [runId, { datasetId, record }] of this.known) {
      if (!datasetIds.has(datasetId) || this.forgotten.has(runId)) continue
      const isInMemory = (this.runs.get(runId)?.result ?? null) !== null
      if (!isInMemory && !(await this.spool.has(runId))) continue
      listed.push({ datasetId, record: { ...record, history: [], clusters: [] } })
    }
    return listed.sort((a, b) => (a.record.startedAt < b.record.startedAt ? 1 : -1))
  }

  /** The whole record of a run, also of a dataset that is not loaded. @throws LabError `run.unknown` */
  async record(runId: string): Promise<RunRecord> {
    const run = await this.withArrays(runId)
    if (run === null) throw unknownRun()
    return run.record
  }

  /** A run as it is kept, also of a dataset that is not loaded; null where its arrays are gone. */
  async withArrays(runId: string): Promise<SpooledRun | null> {
    const [run, profile] = [await this.arrays(runId), await this.profile(runId)]
    return run && profile ? { ...run, profile } : run
  }

  private async arrays(runId: string): Promise<SpooledRun | null> {
    if (this.forgotten.has(runId)) return null
    const entry = this.runs.get(runId)
    const mark = this.known.get(runId)?.record.verified
    if (entry?.result) return withMark(spooledOf(entry.datasetId, entry.result), mark)
    const found = await this.spool.load(runId)
    const spooled = found && withMark(found, mark)
    if (spooled === null || spooled.document !== undefined) return spooled
    // An older version noted less; with its dataset it can be made again.
    const again = await this.result(runId).catch(() => null)
    return again === null ? spooled : withMark(spooledOf(spooled.datasetId, again), mark)
  }

  /** A run of a session that is opened: as if it had been made here. @throws LabError `session.no-room` */
  async takeIn(runId: string, { profile, ...run }: SpooledRun): Promise<void> {
    const { history: _rows, clusters: _clusters, ...rest } = run.record
    const facts = { datasetId: run.datasetId, record: rest }
    if (!(await this.spool.save(runId, run))) throw noRoom()
    this.known.set(runId, facts)
    await this.spool.saveFacts(runId, facts)
    if (profile) await this.spool.saveProfile(runId, profile)
  }

  /** Its profiles, also where its file is not at hand; null where none were computed. */
  async profile(runId: string): Promise<KeptProfile | null> {
    return this.forgotten.has(runId) ? null : await this.spool.loadProfile(runId)
  }

  async keepProfile(runId: string, profile: KeptProfile): Promise<void> {
    if (!this.forgotten.has(runId)) await this.spool.saveProfile(runId, profile)
    if (this.forgotten.has(runId)) await this.spool.remove(runId)
  }

  /** Everything of the runs on a dataset goes, at the word of the person. */
  async discard(datasetId: string): Promise<void> {
    await this.readEarlier()
    const made = [...this.known].filter(([, facts]) => facts.datasetId === datasetId).map(([runId]) => runId)
    for (const runId of made) {
      await this.forget(runId)
      this.known.delete(runId)
    }
    await this.spool.discard(datasetId)
  }

  /** Lets the arrays go; the facts stay. */
  async forget(runId: string): Promise<void> {
    this.runs.get(runId)?.controller.abort()
    this.runs.delete(runId)
    this.forgotten.add(runId)
    this.unspooled.delete(runId)
    for (const listener of this.forgetListeners) listener(runId)
    await this.spool.remove(runId)
  }

  /** Lets go of every run made on a dataset that is closed: opened again, it finds those that are on the disk. */
  releaseMadeOn(datasetId: string): void {
    for (const [runId, { datasetId: madeOn, controller }] of [...this.runs]) {
      if (madeOn !== datasetId) continue
      controller.abort()
      this.runs.delete(runId)
      for (const listener of this.forgetListeners) listener(runId)
    }
  }

  /** Aborts when the run is forgotten: for what is computed from its result. */
  untilForgotten(runId: string): AbortSignal {
    return this.runs.get(runId)?.controller.signal ?? AbortSignal.abort()
  }

  /** Of every finished run of the session, forgotten or not. @throws LabError `run.unknown` */
  async facts(runId: string): Promise<RunFacts> {
    if (!this.known.has(runId)) await this.readEarlier()
    const facts = this.known.get(runId)
    if (facts !== undefined) return facts
    throw new LabError('input', 'run.unknown', 'This run is no longer known: run it again.')
  }

  /** The result of a finished run, read back from the spool if need be. @throws LabError `run.unknown` */
  async result(runId: string): Promise<RunResult> {
    const entry = this.runs.get(runId)
    if (entry?.result) {
      this.touch(runId, entry)
      return entry.result
    }
    const begun = this.restoring.get(runId)
    if (begun !== undefined) return begun
    const restoring = this.restore(runId).finally(() => this.restoring.delete(runId))
    this.restoring.set(runId, restoring)
    return restoring
  }

  /** What places rows among the clusters of a run and makes it again, also when its file is closed. @throws LabError `run.unknown` */
  async keptRun(runId: string): Promise<KeptRun> {
    const held = this.runs.get(runId)?.result
    if (held) return keptRunOf(held)
    const kept = this.unspooled.get(runId)
    if (kept !== undefined) return kept
    const spooled = this.forgotten.has(runId) ? null : await this.spool.load(runId)
    if (spooled?.document !== undefined) return keptRunOfDocument(spooled.document, spooled.centroids)
    return keptRunOf(await this.result(runId))
  }

  /** Keeps with a run what making it again came to. */
  async mark(runId: string, verified: VerificationMark): Promise<void> {
    const facts = await this.facts(runId)
    const marked = { ...facts, record: { ...facts.record, verified } }
    this.known.set(runId, marked)
    if (!this.forgotten.has(runId)) await this.spool.saveFacts(runId, marked)
  }

  private async keep(runId: string, entry: RunEntry, result: RunResult): Promise<void> {
    const { history: _rows, clusters: _clusters, ...rest } = result.record
    const facts = { datasetId: entry.datasetId, record: rest }
    this.known.set(runId, facts)
    await this.spool.saveFacts(runId, facts)
    entry.spooled = await this.spool.save(runId, spooledOf(entry.datasetId, result))
    if (!entry.spooled) this.unspooled.set(runId, keptRunOf(result))
  }

  private async restore(runId: string): Promise<RunResult> {
    const spooled = this.forgotten.has(runId) ? null : await this.spool.load(runId)
    const source = spooled && this.datasets.find(spooled.datasetId)
    // A file that changed since would give other points than the labels were made for.
    const sha256 = source && (await hashed(source.dataset)).file.sha256
    if (!source || sha256 !== spooled.record.file.sha256) throw unknownRun()
    const { dataset, closed } = source
    const { features, config } = spooled.record
    const numeric = features.filter(({ category }) => category === undefined)
    const names = numeric.map(({ index }) => dataset.columns[index].name)
    const precision = precisionOf(spooled.record)
    const { preparation } = preparationOf(dataset, { ...config, features: names, precision })
    const points = this.pointsAlike(dataset, preparation) ?? (await prepare(dataset, preparation, closed))
    if (this.forgotten.has(runId)) throw unknownRun()
    const { datasetId, document: _document, ...kept } = spooled
    const result: RunResult = { ...kept, dataset, points }
    const controller = this.runs.get(runId)?.controller ?? new AbortController()
    this.touch(runId, { datasetId, controller, finished: true, spooled: true, result })
    this.makeRoom()
    return result
  }

  /** Runs on the same points share them: they are the largest of the arrays. */
  private sharing(result: RunResult): RunResult {
    const points = this.pointsAlike(result.dataset, result.points.preparation)
    return points === null ? result : { ...result, points }
  }

  /** Points in memory that a run clustered and another, or a projection, can share; null when there are none. */
  pointsAlike(dataset: Dataset, preparation: Preparation): PreparedPoints | null {
    for (const { result } of this.runs.values()) {
      if (result?.dataset === dataset && samePreparation(result.points.preparation, preparation))
        return result.points
    }
    return null
  }

  private touch(runId: string, entry: RunEntry): void {
    this.runs.delete(runId)
    this.runs.set(runId, entry)
  }

  private makeRoom(): void {
    const held = [...this.runs.values()].filter(({ result }) => result !== null)
    for (const entry of held.slice(0, -maxInMemory)) if (entry.spooled) entry.result = null
  }

  /** Facts that a host before this one left on disk. */
  private readEarlier(): Promise<void> {
    this.earlier ??= this.spool.allFacts().then((all) => {
      for (const [runId, facts] of all) if (!this.known.has(runId)) this.known.set(runId, facts)
    })
    return this.earlier
  }
}

function spooledOf(datasetId: string, result: RunResult): SpooledRun {
  const { record, labels, centroids, initialCentroids, centroidHistory } = result
  const document = runDocument(result)
  return { datasetId, record, labels, centroids, initialCentroids, centroidHistory, document }
}

/** That it was made again is noted beside its record. */
function withMark(run: SpooledRun, verified: VerificationMark | undefined): SpooledRun {
  return verified === undefined ? run : { ...run, record: { ...run.record, verified } }
}

function noRoom(): LabError {
  const message =
    'The session was not opened because its runs have no room on this disk: make room, or discard kept sessions on the first screen.'
  return new LabError('io', 'session.no-room', message)
}

function unknownRun(): LabError {
  return new LabError('input', 'run.unknown', 'The arrays of this result are no longer kept: run it again.')
}
