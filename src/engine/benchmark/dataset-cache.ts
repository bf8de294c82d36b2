import { stat } from 'node:fs/promises'
import type { SuiteDataset } from '@shared/benchmark/suite'
import type { ColumnInfo, ImportOverrides } from '@shared/dataset'
import type { GeneratorSpec } from '@shared/generator'
import { precisionOf } from '@shared/precision'
import { preparationChoice, type PreparationChoice } from '@shared/run-config'
import { hashed, type Dataset } from '../dataset/dataset'
import { preparationOf } from '../dataset/preparation'
import { prepare } from '../dataset/prepare'
import type { PreparedPoints } from '../dataset/prepared'
import { dataWarnings } from '../run/left-out'

/** Where the datasets of a suite come from. */
export interface Sources {
  /** The file that is loaded in the window. @throws LabError `dataset.unknown` */
  loaded(datasetId: string): Dataset
  /** @throws LabError `io`, `input`, `cancelled` */
  open(path: string, overrides: ImportOverrides, signal: AbortSignal): Promise<Dataset>
  /** @throws LabError `input` for what does not fit in memory, `cancelled` */
  generate(spec: GeneratorSpec, signal: AbortSignal): Promise<Dataset>
}

/** A dataset of a suite, ready to be clustered. */
export interface CaseData {
  readonly points: PreparedPoints
  readonly features: readonly ColumnInfo[]
  /** As sentences name it. */
  readonly fileName: string
  /** Reading or generating, and preparing. */
  readonly loadMs: number
  /** What a clustering of them would warn of. */
  readonly warnings: readonly string[]
}

export type DataChoice = PreparationChoice
export type DataShape = Pick<PreparedPoints, 'n' | 'd'>

/**
 * The datasets of a comparison. Only the newest stays in memory, so that a plan and the run after it read a file
 * once; the shapes and warnings of all are remembered.
 */
export class DatasetCache {
  readonly #sources: Sources
  readonly #shapes = new Map<string, DataShape>()
  readonly #warnings = new Map<string, readonly string[]>()
  #newest: { readonly key: string; readonly data: CaseData } | null = null

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** Points and features; made data are told from their spec, files are read. */
  async shape(dataset: SuiteDataset, choice: DataChoice, signal: AbortSignal): Promise<DataShape> {
    if (dataset.kind === 'generated') {
      return { n: dataset.spec.n, d: choice.features?.length ?? dataset.spec.d }
    }
    const known = this.#shapes.get(await keyOf(dataset, choice))
    return known ?? (await this.data(dataset, choice, signal)).points
  }

  /** @throws LabError what reading, generating and preparing throw */
  async data(dataset: SuiteDataset, choice: DataChoice, signal: AbortSignal): Promise<CaseData> {
    const key = await keyOf(dataset, choice)
    if (this.#newest?.key === key) return this.#newest.data
    // Two datasets of a billion bytes each must not be there at once.
    this.clear()
    const data = await this.#make(dataset, choice, signal)
    this.#newest = { key, data }
    this.#warnings.set(key, data.warnings)
    this.#shapes.set(key, { n: data.points.n, d: data.points.d })
    return data
  }

  /** Of data that were read before; null as long as they were not. */
  async warnings(dataset: SuiteDataset, choice: DataChoice): Promise<readonly string[] | null> {
    return this.#warnings.get(await keyOf(dataset, choice)) ?? null
  }

  /** Lets the memory go. */
  clear(): void {
    this.#newest = null
  }

  async #make(dataset: SuiteDataset, choice: DataChoice, signal: AbortSignal): Promise<CaseData> {
    const began = performance.now()
    const table = await this.#table(dataset, signal)
    const read = dataset.kind === 'loaded' ? table.receipt.loadMs : 0
    const readMs = performance.now() - began
    // Nothing is timed beside it.
    await hashed(table)
    const prepared = performance.now()
    const { features, preparation } = preparationOf(table, choice)
    const points = await prepare(table, preparation, signal)
    const loadMs = read + readMs + performance.now() - prepared
    const isMade = dataset.kind === 'generated'
    const warnings = isMade ? [] : dataWarnings(table, features, points)
    return { points, features, fileName: table.file.name, loadMs, warnings }
  }

  #table(dataset: SuiteDataset, signal: AbortSignal): Dataset | Promise<Dataset> {
    if (dataset.kind === 'loaded') return this.#sources.loaded(dataset.datasetId)
    if (dataset.kind === 'file') return this.#sources.open(dataset.path, dataset.overrides ?? {}, signal)
    return this.#sources.generate(dataset.spec, signal)
  }
}

/** A file that changed since is another dataset. */
async function keyOf({ name: _name, ...source }: SuiteDataset, choice: DataChoice): Promise<string> {
  const facts = source.kind === 'file' ? await stat(source.path).catch(() => null) : null
  return JSON.stringify([source, facts?.size, facts?.mtimeMs, preparationChoice(choice), precisionOf(choice)])
}
