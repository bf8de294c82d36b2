import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { BenchmarkEvent, Plan } from '@shared/benchmark/requests'
import type { Suite } from '@shared/benchmark/suite'
import type { GeneratorSpec } from '@shared/generator'
import type { EngineTable } from '../auto/contenders'
import type { Dataset } from '../dataset/dataset'
import type { OutsideRunner } from './outside/outside'

/** What a comparison works with. The command line and the host give the product's own, tests give others. */
export interface Surroundings {
  readonly engines: EngineTable
  readonly outside: OutsideRunner
  /** The file that is loaded in the window. @throws LabError `dataset.unknown` */
  loaded(datasetId: string): Dataset
  /** @throws LabError `io`, `input`, `cancelled` */
  open(path: string, signal: AbortSignal): Promise<Dataset>
  /** @throws LabError `input` for what does not fit in memory, `cancelled` */
  generate(spec: GeneratorSpec, signal: AbortSignal): Promise<Dataset>
}

/** `planSuite` (plan.ts): what each cell is expected to take; calibrates what is not known yet. */
export type PlanSuite = (suite: Suite, surroundings: Surroundings, signal: AbortSignal) => Promise<Plan>

/** How a comparison is watched and led while it runs. */
export interface Watch {
  readonly signal: AbortSignal
  /** Asked after every run: true ends the comparison as `paused`. */
  isPaused(): boolean
  tell(event: BenchmarkEvent): void
  /** Keeps the document after every finished case; what it throws does not end the comparison. */
  keep(document: BenchmarkDocument): Promise<void>
}

/**
 * `runBenchmark` (run-benchmark.ts): carries out what a document lacks and answers the document with it, in the state
 * `done`, `paused` or `cancelled`; a cell that fails is a row that says so.
 */
export type RunBenchmark = (
  document: BenchmarkDocument,
  surroundings: Surroundings,
  watch: Watch,
) => Promise<BenchmarkDocument>
