import { prepare } from '@engine/dataset/prepare'
import type { Dataset } from '@engine/dataset/dataset'
import type { RunResult } from '@engine/run/run'
import { LabError } from '@shared/errors'
import type { Spool } from './spool'

interface RunEntry {
  readonly datasetId: string
  readonly controller: AbortController
  result: RunResult | null
}

/** What the host owns, by id: datasets, and runs with their arrays. Closing frees. */
export class HostStore {
  private readonly datasets = new Map<string, Dataset>()
  /** One for each dataset, aborted when it closes. */
  private readonly closing = new Map<string, AbortController>()
  private readonly runs = new Map<string, RunEntry>()
  /** Runs that are being restored, so that several questions at once restore one only once. */
  private readonly restoring = new Map<string, Promise<RunResult>>()

  constructor(private readonly spool: Spool) {}

  addDataset(dataset: Dataset): void {
    this.datasets.set(dataset.id, dataset)
    this.closing.get(dataset.id)?.abort()
    this.closing.set(dataset.id, new AbortController())
  }

  /** @throws LabError `dataset.unknown` */
  dataset(id: string): Dataset {
    const dataset = this.datasets.get(id)
    if (dataset !== undefined) return dataset
    throw new LabError(
      'input',
      'dataset.unknown',
      'This data file is no longer loaded; please open it again.',
    )
  }

  /** Aborts when the dataset closes: for what is computed from it. @throws LabError `dataset.unknown` */
  untilClosed(id: string): AbortSignal {
    const controller = this.closing.get(this.dataset(id).id)
    return controller?.signal ?? AbortSignal.abort()
  }

  /** Frees a dataset and every run made on it. */
  async closeDataset(id: string): Promise<void> {
    this.datasets.delete(id)
    this.closing.get(id)?.abort()
    this.closing.delete(id)
    const made = [...this.runs].filter(([, run]) => run.datasetId === id)
    await Promise.all(made.map(([runId]) => this.forget(runId)))
  }

  beginRun(runId: string, datasetId: string): AbortSignal {
    const controller = new AbortController()
    this.runs.set(runId, { datasetId, controller, result: null })
    return controller.signal
  }

  /** Keeps a result, unless the run was forgotten while it worked. */
  async finishRun(runId: string, result: RunResult): Promise<void> {
    const entry = this.runs.get(runId)
    if (entry === undefined) return
    entry.result = result
    const { record, labels, centroids, initialCentroids, centroidHistory } = result
    await this.spool.save(runId, {
      datasetId: entry.datasetId,
      ...{ record, labels, centroids, initialCentroids, centroidHistory },
    })
    if (!this.runs.has(runId)) await this.spool.remove(runId)
  }

  /** Cancelled or failed: there is nothing to keep. */
  dropRun(runId: string): void {
    this.runs.delete(runId)
  }

  /** Cancelling a run that is over changes nothing. */
  cancelRun(runId: string): void {
    this.runs.get(runId)?.controller.abort()
  }

  async forget(runId: string): Promise<void> {
    this.cancelRun(runId)
    this.runs.delete(runId)
    await this.spool.remove(runId)
  }

  /** The result of a finished run, from before the last crash if need be. @throws LabError `run.unknown` */
  async result(runId: string): Promise<RunResult> {
    const entry = this.runs.get(runId)
    if (entry?.result) return entry.result
    const restoring = this.restoring.get(runId) ?? this.restore(runId)
    this.restoring.set(runId, restoring)
    return restoring.finally(() => this.restoring.delete(runId))
  }

  private async restore(runId: string): Promise<RunResult> {
    const spooled = await this.spool.load(runId)
    const dataset = spooled && this.datasets.get(spooled.datasetId)
    // A file that changed since would give other points than the labels were made for.
    if (!spooled || !dataset || dataset.file.sha256 !== spooled.record.file.sha256) throw unknownRun()
    const { config, features } = spooled.record
    const points = await prepare(
      dataset,
      { features: features.map(({ index }) => index), missing: config.missing, scaling: config.scaling },
      new AbortController().signal,
    )
    const { datasetId, ...kept } = spooled
    const result: RunResult = { ...kept, dataset, points }
    this.runs.set(runId, { datasetId, controller: new AbortController(), result })
    return result
  }
}

function unknownRun(): LabError {
  return new LabError(
    'input',
    'run.unknown',
    'The arrays of this result are no longer kept; run it once more.',
  )
}
