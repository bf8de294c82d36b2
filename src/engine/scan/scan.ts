import { randomUUID } from 'node:crypto'
import type { RunConfig } from '@shared/run-config'
import type { ScanConfig, ScanRecord, ScanRestart, ScanSuggestions, ScannedK } from '@shared/scan'
import { suggestionsOf } from '@shared/metrics/suggestions'
import { hashed, type Dataset } from '../dataset/dataset'
import { recordedFeature, type RunFeature } from '../dataset/one-hot'
import { preparationOf } from '../dataset/preparation'
import { prepare } from '../dataset/prepare'
import type { PreparedPoints } from '../dataset/prepared'
import { SeedCache } from '../init/seed-cache'
import { SilhouetteSampling } from '../quality/silhouettes'
import type { Clustering, ResolvedRun, RunResult } from '../run/types'
import { dataWarnings } from '../run/left-out'
import { validateConfig, validatePoints } from '../run/validate'
import { lendToEngine } from '../scratch/scratch-file'
import { throwIfAborted } from '../slices'
import { GapReferences, gapReferences } from './gap-references'
import { KeptRestarts, type StoredRestarts } from './kept-restarts'
import { takeOver } from './take-over'
import { scanOne } from './scan-one'
import { ScanUpload } from './scan-upload'
import { validateScan } from './validate-scan'

/** What a scan tells while it works. */
export interface ScanObserver {
  /** A restart is finished, the `done`-th of `total` of the whole scan. */
  restart(restart: ScanRestart, done: number, total: number): void
  /** So many of the references of the gap statistic of a k are clustered. */
  reference?(k: number, done: number, total: number): void
  /** A k is finished. */
  finishedK(row: ScannedK, suggestions: ScanSuggestions): void
}

/** A finished k with what it takes to make a run of it: everything but the labels, which its centroids give again. */
export interface FinishedK {
  readonly row: ScannedK
  readonly clustering: Clustering
}

/** Points as a scan clusters them. */
export interface ScanPoints {
  readonly points: PreparedPoints
  readonly features: readonly RunFeature[]
  /** Every k has its silhouette on the same rows. */
  readonly sampling: SilhouetteSampling
}

/** Looks for points that are there already. */
export type FindPoints = (
  dataset: Dataset,
  preparation: PreparedPoints['preparation'],
) => PreparedPoints | null

/** How far a scan has come: plain data, from which another process goes on. */
export interface StoredScan {
  readonly rows: readonly ScannedK[]
  readonly pending: StoredRestarts | null
  readonly ran: ScanRecord['ran']
  readonly warnings: readonly string[]
  readonly milliseconds: number
}

/** A scan over a range of k: it can be cancelled and resumed; what is finished stays. */
export class Scan {
  readonly id = randomUUID()
  readonly dataset: Dataset
  readonly #config: ScanConfig
  readonly #startedAt = new Date().toISOString()
  readonly #finished = new Map<number, ScannedK>()
  readonly #clusterings = new Map<number, FinishedK['clustering']>()
  readonly #seeds: SeedCache
  readonly #upload = new ScanUpload()
  readonly #warnings = new Set<string>()
  readonly #features: readonly RunFeature[]
  readonly #findPoints: FindPoints
  #points: ScanPoints | null = null
  #references: GapReferences | null = null
  /** The k under way, or what a cancel left of it. */
  #pending: KeptRestarts | null = null
  #ran: ScanRecord['ran'] = null
  #milliseconds = 0
  #sessionUploadMs = 0

  /** @throws LabError `argument` for a wrong configuration, `features.*` */
  constructor(dataset: Dataset, config: ScanConfig, findPoints: FindPoints = () => null) {
    validateScan(config)
    validateConfig(configOf(config, config.kMin))
    this.dataset = dataset
    this.#config = config
    this.#findPoints = findPoints
    this.#seeds = new SeedCache(config.kMax)
    this.#features = preparationOf(dataset, config.run).features
  }

  /** Clusters what is missing, the smallest k first. @throws LabError as `runKmeans`; what is finished stays, restart by restart */
  async run(observer: ScanObserver, signal: AbortSignal): Promise<void> {
    const began = performance.now()
    try {
      const points = await this.#prepared(signal)
      for (let k = this.#config.kMin; k <= this.#config.kMax; k++) {
        if (!this.#finished.has(k)) await this.#runOne(points, k, observer, signal)
        throwIfAborted(signal)
      }
      await hashed(this.dataset)
    } finally {
      await this.#upload.close()
      this.#milliseconds += performance.now() - began
    }
  }

  /** For a scan of another process on the same data and configuration, but for the range. */
  stored(): StoredScan {
    return {
      rows: this.#rows(),
      pending: this.#pending?.stored() ?? null,
      ran: this.#ran,
      warnings: [...this.#warnings],
      milliseconds: this.#milliseconds,
    }
  }

  /** Takes over what another process came to; the runs of its k are not there. Before the first `run`. */
  restore({ rows, pending, ran, warnings, milliseconds }: StoredScan): void {
    const { kMin, kMax } = this.#config
    for (const row of rows) if (row.k >= kMin && row.k <= kMax) this.#finished.set(row.k, row)
    this.#pending = pending && new KeptRestarts(pending.k, pending)
    this.#ran = ran
    for (const warning of warnings) this.#warnings.add(warning)
    this.#milliseconds = milliseconds
  }

  record(): ScanRecord {
    const { n, d } = this.#points?.points ?? { n: this.dataset.rows, d: this.#features.length }
    const { kMin, kMax } = this.#config
    const rows = this.#rows()
    return {
      id: this.id,
      startedAt: this.#startedAt,
      file: this.dataset.file,
      config: this.#config,
      features: this.#features.map(recordedFeature),
      n,
      d,
      ran: this.#ran,
      rows,
      pending: [...(this.#pending?.rows ?? [])],
      suggestions: suggestionsOf(rows),
      isComplete: rows.length === kMax - kMin + 1,
      seconds: this.#milliseconds / 1000,
      uploadSeconds: (this.#upload.milliseconds + this.#sessionUploadMs) / 1000,
      warnings: [...this.#warnings],
    }
  }

  /** The best restart of a finished k as a run. @throws LabError `scan.unfinished`, `cancelled` */
  async take(k: number, signal: AbortSignal): Promise<RunResult> {
    const { dataset } = this
    const config = configOf(this.#config, k)
    const kept = this.#clusterings.get(k) ?? null
    return takeOver({ dataset, config, kept, k, ...(await this.#prepared(signal)) }, signal)
  }

  #rows(): ScannedK[] {
    return [...this.#finished.values()].sort((a, b) => a.k - b.k)
  }

  async #prepared(signal: AbortSignal): Promise<ScanPoints> {
    if (this.#points !== null) return this.#lent(this.#points)
    const { features, preparation } = preparationOf(this.dataset, this.#config.run)
    const found = this.#findPoints(this.dataset, preparation)
    const points = found ?? (await prepare(this.dataset, preparation, signal))
    validatePoints(points, this.#config.kMax, this.dataset.file.name)
    const sampling = new SilhouetteSampling(points, this.#config.run.seed)
    this.#points = { points, features, sampling }
    const { reason } = points.location
    for (const warning of dataWarnings(this.dataset, features, points)) this.#warnings.add(warning)
    if (reason !== null) this.#warnings.add(reason)
    return this.#lent(this.#points)
  }

  /** Arrays of engines lie where the points do. */
  #lent(points: ScanPoints): ScanPoints {
    lendToEngine(points.points.location.in === 'scratch')
    return points
  }

  async #runOne(points: ScanPoints, k: number, observer: ScanObserver, signal: AbortSignal): Promise<void> {
    const { restarts, kMin, kMax } = this.#config
    const total = (kMax - kMin + 1) * restarts
    const kept = this.#pending?.k === k ? this.#pending : new KeptRestarts(k)
    this.#pending = kept
    const before = this.#finished.size * restarts
    const watch = {
      restart: (restart: ScanRestart) => observer.restart(restart, before + kept.rows.length, total),
      reference: (finished: number) => observer.reference?.(k, finished, gapReferences),
    }
    if (this.#config.indices.includes('gap'))
      this.#references ??= new GapReferences(points.points, this.#config.run.seed)
    const task = { ...points, config: configOf(this.#config, k), scan: this.#config, kept }
    const shared = { references: this.#references, seeds: this.#seeds, upload: this.#upload }
    const { row, clustering } = await scanOne({ ...task, ...shared }, watch, signal)
    this.#finished.set(k, row)
    this.#clusterings.set(k, clustering)
    this.#pending = null
    this.#sessionUploadMs += clustering.timings.uploadMs
    this.#ran = ranOn(clustering.resolved)
    for (const warning of clustering.warnings) this.#warnings.add(warning)
    observer.finishedK(row, suggestionsOf(this.#rows()))
  }
}

function ranOn({ engine, device, variant }: ResolvedRun): ScanRecord['ran'] {
  return { engine: engine.id, device: device.id, deviceName: device.name, variant }
}

/** How one k is clustered. */
function configOf({ run, restarts }: ScanConfig, k: number): RunConfig {
  return { ...run, k, nInit: restarts, history: false, centroidHistory: false, timing: 'total' }
}
