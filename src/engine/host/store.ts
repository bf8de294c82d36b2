import type { Dataset } from '@engine/dataset/dataset'
import { RowCells } from '@engine/table/row-cells'
import { LabError } from '@shared/errors'
import { BrokenRuns } from './broken-runs'
import { RunResults, type OpenDatasets } from './run-results'
import type { Spool } from './spool'
import { WarmRuns } from './warm-runs'

/** What the host owns, by id: datasets, and runs with their arrays. Closing frees. */
export class HostStore implements OpenDatasets {
  private readonly datasets = new Map<string, Dataset>()
  /** One for each dataset, aborted when it closes. */
  private readonly closing = new Map<string, AbortController>()
  readonly #cells = new WeakMap<Dataset, RowCells>()
  readonly runs: RunResults
  readonly broken: BrokenRuns
  readonly warm: WarmRuns

  constructor(spool: Spool) {
    this.runs = new RunResults(spool, this)
    this.broken = new BrokenRuns(spool)
    this.warm = new WarmRuns(this.runs)
  }

  addDataset(dataset: Dataset): void {
    this.datasets.set(dataset.id, dataset)
    this.closing.get(dataset.id)?.abort()
    this.closing.set(dataset.id, new AbortController())
  }

  all(): readonly Dataset[] {
    return [...this.datasets.values()]
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

  /** What reads cells of any rows from the file of a dataset. @throws LabError `dataset.unknown` */
  cellsOf(id: string): RowCells {
    const dataset = this.dataset(id)
    const cells = this.#cells.get(dataset) ?? new RowCells(dataset, this.untilClosed(id))
    this.#cells.set(dataset, cells)
    return cells
  }

  find(id: string): ReturnType<OpenDatasets['find']> {
    const dataset = this.datasets.get(id)
    return dataset === undefined ? null : { dataset, closed: this.untilClosed(id) }
  }

  /** Frees a dataset and the arrays of every run made on it; what is on the disk stays. */
  closeDataset(id: string): void {
    this.datasets.delete(id)
    this.closing.get(id)?.abort()
    this.closing.delete(id)
    this.runs.releaseMadeOn(id)
    this.broken.releaseMadeOn(id)
  }
}
