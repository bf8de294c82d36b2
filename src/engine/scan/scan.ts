import { randomUUID } from 'node:crypto'
import type { RunConfig } from '@shared/run-config'
import type { ScanConfig, ScanRecord, ScanRestart, ScanSuggestions, ScannedK } from '@shared/scan'
import { suggestionsOf } from '@shared/metrics/suggestions'
import type { Dataset } from '../dataset/dataset'
import { recordedFeature, type RunFeature } from '../dataset/one-hot'
import { preparationOf } from '../dataset/preparation'
import { prepare } from '../dataset/prepare'
import type { PreparedPoints } from '../dataset/prepared'
import type { Clustering, ResolvedRun, RunResult } from '../run/types'
import { dataWarnings } from '../run/left-out'
import { validateConfig, validatePoints } from '../run/validate'
import { lendToEngine } from '../scratch/scratch-file'
import { throwIfAborted } from '../slices'
import { GapReferences, gapReferences } from './gap-references'
import { takeOver } from './take-over'
import { scanOne } from './scan-one'
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
}

/** Looks for points that are there already. */
export type FindPoints = (
  dataset: Dataset,
  preparation: PreparedPoints['preparation'],
) => PreparedPoints | null

/** A scan over a range of k: it can be cancelled and resumed; what is finished stays. */
export class Scan {
  readonly id = randomUUID()
  readonly dataset: Dataset
  readonly #config: ScanConfig
  readonly #startedAt = new Date().toISOString()
  readonly #finished = new Map<number, FinishedK>()
  readonly #warnings = new Set<string>()
  readonly #features: readonly RunFeature[]
  readonly #findPoints: FindPoints
  #points: ScanPoints | null = null
  #references: GapReferences | null = null
  #ran: ScanRecord['ran'] = null
  #milliseconds = 0

  /** @throws LabError `argument` for a wrong configuration, `features.*` */
  constructor(dataset: Dataset, config: ScanConfig, findPoints: FindPoints = () => null) {
    validateScan(config)
    validateConfig(configOf(config, config.kMin))
    this.dataset = dataset
    this.#config = config
    this.#findPoints = findPoints
    this.#features = preparationOf(dataset, config.run).features
  }

  /** Clusters every k that is missing, the smallest first. @throws LabError as `runKmeans`; what is finished stays */
  async run(observer: ScanObserver, signal: AbortSignal): Promise<void> {
    const began = performance.now()
    try {
      const points = await this.#prepared(signal)
      for (let k = this.#config.kMin; k <= this.#config.kMax; k++) {
        if (!this.#finished.has(k)) await this.#runOne(points, k, observer, signal)
        throwIfAborted(signal)
      }
    } finally {
      this.#milliseconds += performance.now() - began
    }
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
      suggestions: suggestionsOf(rows),
      isComplete: rows.length === kMax - kMin + 1,
      seconds: this.#milliseconds / 1000,
      warnings: [...this.#warnings],
    }
  }

  /** The best restart of a finished k as a run. @throws LabError `scan.unfinished`, `cancelled` */
  async take(k: number, signal: AbortSignal): Promise<RunResult> {
    const { dataset } = this
    const config = configOf(this.#config, k)
    const kept = this.#finished.get(k) ?? null
    return takeOver({ dataset, config, kept, k, ...(await this.#prepared(signal)) }, signal)
  }

  #rows(): ScannedK[] {
    return [...this.#finished.values()].map(({ row }) => row).sort((a, b) => a.k - b.k)
  }

  async #prepared(signal: AbortSignal): Promise<ScanPoints> {
    if (this.#points !== null) return this.#lent(this.#points)
    const { features, preparation } = preparationOf(this.dataset, this.#config.run)
    const found = this.#findPoints(this.dataset, preparation)
    const points = found ?? (await prepare(this.dataset, preparation, signal))
    validatePoints(points, this.#config.kMax, this.dataset.file.name)
    this.#points = { points, features }
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
    let done = this.#finished.size * restarts
    const watch = {
      restart: (restart: ScanRestart) => observer.restart(restart, ++done, total),
      reference: (finished: number) => observer.reference?.(k, finished, gapReferences),
    }
    if (this.#config.indices.includes('gap'))
      this.#references ??= new GapReferences(points.points, this.#config.run.seed)
    const task = { ...points, config: configOf(this.#config, k), scan: this.#config }
    const finished = await scanOne({ ...task, references: this.#references }, watch, signal)
    this.#finished.set(k, finished)
    this.#ran = ranOn(finished.clustering.resolved)
    for (const warning of finished.clustering.warnings) this.#warnings.add(warning)
    observer.finishedK(finished.row, suggestionsOf(this.#rows()))
  }
}

function ranOn({ engine, device, variant }: ResolvedRun): ScanRecord['ran'] {
  return { engine: engine.id, device: device.id, deviceName: device.name, variant }
}

/** How one k is clustered. */
function configOf({ run, restarts }: ScanConfig, k: number): RunConfig {
  return { ...run, k, nInit: restarts, history: false, centroidHistory: false, timing: 'total' }
}
