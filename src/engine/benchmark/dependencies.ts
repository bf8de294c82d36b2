import type { BenchmarkDocument, CellKey } from '@shared/benchmark/document'
import type { BenchmarkEvent } from '@shared/benchmark/requests'
import type { EngineTable } from '../auto/contenders'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from '../dataset/dataset'
import { engines } from '../engines'
import { generateDataset } from '../generate'
import { outsideRunner } from './outside'
import type { OutsideRunner } from './outside/outside'
import { DatasetCache, type Sources } from './dataset-cache'

/** What a comparison works with: the product's own, or what a test puts in its place. */
export interface BenchmarkDependencies {
  readonly engines: EngineTable
  readonly outside: OutsideRunner
  readonly datasets: DatasetCache
  /** Every file that is loaded in the window now. */
  readonly allLoaded: () => readonly Dataset[]
}

/** @param loaded the file that is loaded in the window. @throws LabError `dataset.unknown` */
export function productDependencies(
  loaded: (datasetId: string) => Dataset,
  allLoaded: BenchmarkDependencies['allLoaded'] = () => [],
): BenchmarkDependencies {
  const open: Sources['open'] = (path, overrides, signal) =>
    openDataset(path, overrides, () => undefined, signal)
  const datasets = new DatasetCache({ loaded, open, generate: generateDataset })
  return { engines, outside: outsideRunner, datasets, allLoaded }
}

/** How a comparison is watched and led while it runs. */
export interface Watch {
  readonly signal: AbortSignal
  /** Awaited between two runs: stays open while the comparison is paused. */
  turn(): Promise<void>
  /** Carries out a run whose time counts, when nothing else of this process is at work. @throws LabError `cancelled` */
  exclusive<T>(run: () => Promise<T>): Promise<T>
  report(event: BenchmarkEvent): void
  /** Told before a cell's work begins, so that it is known which one ended the process; null: none any more. */
  mark(cell: CellKey | null): void
  /**
   * The document after every finished case, and at the end. Never throws.
   * @param isDue it is to be written; else it may stay in memory until the next one is, see WritingPace
   */
  keep(document: BenchmarkDocument, isDue: boolean): Promise<void>
}
