import type { BenchmarkDocument, BenchmarkState, Measurement, PlannedCell } from '@shared/benchmark/document'
import { cellLimitMs } from '@shared/benchmark/cell-limit'
import { cellId, rowsByCell, withRows } from '@shared/benchmark/cells'
import { contenderKey, outsideSystems, type Suite, type SuiteDataset } from '@shared/benchmark/suite'
import { LabError, toErrorReport } from '@shared/errors'
import { float64Variants, precisionOf } from '@shared/precision'
import { workersVariant } from '@shared/workers'
import { defaultRunConfig } from '@shared/run-config'
import { seed } from '../init'
import { chooseKernel } from '../init/choose-kernel'
import { validateConfig, validatePoints } from '../run/validate'
import { throwIfAborted } from '../slices'
import { LimitedRunner } from './limited-runner'
import type { Case, ContenderRunner } from './contender-runner'
import { withSameBytes } from './canonical-results'
import { withDataWarnings } from './data-warnings'
import { OutsideContenderRunner } from './outside-contender-runner'
import { planSuite } from './plan'
import { Progress, sameCell } from './progress'
import { resolveCase, type ResolvedCell } from './resolve-cell'
import { runCase, type Lead } from './run-case'
import type { BenchmarkDependencies, Watch } from './dependencies'
import { withStandInBaseline } from './stand-in-baseline'
import { rowWithout } from './tally'
import { VariantContenderRunner } from './variant-contender-runner'
import { WritingPace } from './writing-pace'

/** A dataset and a k of a suite. */
interface SuiteWorkload {
  readonly dataset: SuiteDataset
  readonly k: number
}

/**
 * Carries out what a document lacks, case by case, and answers it whole: `done`, or `cancelled` when the signal aborted. A
 * contender that breaks is a row that says so; rows come by `bench.event` as each case ends.
 * @throws LabError `dataset.unknown` when the loaded file is gone
 */
export async function runBenchmark(
  document: BenchmarkDocument,
  dependencies: BenchmarkDependencies,
  watch: Watch,
): Promise<BenchmarkDocument> {
  const work = new BenchmarkWork(document, dependencies, watch)
  try {
    await work.plan()
    await work.runCases()
    return await work.end('done')
  } catch (error) {
    if (watch.signal.aborted) return await work.end('cancelled')
    throw error
  } finally {
    dependencies.datasets.clear()
  }
}

class BenchmarkWork {
  #document: BenchmarkDocument
  readonly #dependencies: BenchmarkDependencies
  readonly #watch: Watch
  readonly #pace = new WritingPace()

  constructor(document: BenchmarkDocument, dependencies: BenchmarkDependencies, watch: Watch) {
    this.#document = { ...document, state: 'running', finishedAt: null }
    this.#dependencies = dependencies
    this.#watch = watch
  }

  async plan(): Promise<void> {
    const { suite, plan } = this.#document
    if (plan.length === 0) {
      const { cells } = await planSuite(suite, this.#dependencies, this.#watch.signal)
      this.#document = { ...this.#document, plan: cells }
    }
    const led = withStandInBaseline(this.#document)
    this.#document = await withDataWarnings(led, this.#dependencies.datasets)
    await this.#watch.keep(this.#document, true)
  }

  async runCases(): Promise<void> {
    const { suite, id, plan, rows } = this.#document
    const { signal, report, turn, exclusive, mark } = this.#watch
    const progress = new Progress(id, suite, plan, rows, report)
    for (const workload of workloadsOf(suite)) {
      const open = this.#openCells(workload)
      if (open.length === 0) continue
      const lead = { signal, turn, exclusive, mark, progress }
      await this.#add(await rowsOf(workload, open, suite, this.#dependencies, lead))
    }
  }

  async end(state: BenchmarkState): Promise<BenchmarkDocument> {
    this.#watch.mark(null)
    this.#document = { ...this.#document, state, finishedAt: new Date().toISOString() }
    await this.#watch.keep(this.#document, true)
    return this.#document
  }

  #openCells({ dataset, k }: SuiteWorkload): PlannedCell[] {
    const { plan, rows } = this.#document
    const ofCase = plan.filter((cell) => cell.dataset === dataset.name && cell.k === k)
    const finished = rowsByCell(rows)
    return ofCase.filter((cell) => !finished.has(cellId(cell)))
  }

  async #add(rows: readonly Measurement[]): Promise<void> {
    const { id } = this.#document
    const known = new Set(this.#document.rows)
    const grown = { ...this.#document, rows: withSameBytes(withRows(this.#document, rows)) }
    this.#document = await withDataWarnings(grown, this.#dependencies.datasets)
    // Those of an earlier sitting too, where a new result is not theirs.
    const changed = this.#document.rows.filter((row) => !known.has(row))
    for (const row of changed) this.#watch.report({ kind: 'row', benchId: id, row })
    if (this.#pace.isDue) await this.#pace.write(() => this.#watch.keep(this.#document, true))
    else await this.#watch.keep(this.#document, false)
  }
}

function workloadsOf({ cases }: Suite): SuiteWorkload[] {
  return cases.flatMap(({ dataset, k }) => k.map((clusters) => ({ dataset, k: clusters })))
}

/** Rows of the cells of a case that have none yet. */
async function rowsOf(
  workload: SuiteWorkload,
  open: readonly PlannedCell[],
  suite: Suite,
  dependencies: BenchmarkDependencies,
  lead: Lead,
): Promise<Measurement[]> {
  const skipped = open.flatMap((cell) =>
    cell.skipped === null ? [] : [rowWithout(cell, 'skipped', cell.skipped)],
  )
  const running = open.filter((cell) => cell.skipped === null)
  if (running.length === 0) return skipped
  lead.progress.at(running[0], 'preparing')
  // A dataset that ends the process (of memory) is laid at the door of the first cell.
  lead.mark(running[0])
  try {
    const of = await prepareCase(workload, suite, dependencies, lead.signal)
    return [...skipped, ...(await rowsOfRunning(of, workload, running, suite, dependencies, lead))]
  } catch (error) {
    throwIfAborted(lead.signal)
    // A file that is not loaded any more is a reason to stop, not a result.
    if (error instanceof LabError && error.code === 'dataset.unknown') throw error
    const { kind, message } = toErrorReport(error)
    for (const cell of running) lead.progress.finished(cell)
    const state = kind === 'input' ? 'skipped' : 'failed'
    return [...skipped, ...running.map((cell) => rowWithout(cell, state, message))]
  }
}

/** Points and the start that all contenders share. */
async function prepareCase(
  { dataset, k }: SuiteWorkload,
  { config }: Suite,
  { datasets, engines }: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<Case> {
  const data = await datasets.data(dataset, config, signal)
  const { points, features, fileName } = data
  // Of a contender that has what is asked for; the others ignore it or are skipped.
  const variant = precisionOf(config) === 'float64' ? float64Variants[0] : workersVariant
  validateConfig({ ...defaultRunConfig, variant, ...config, k })
  validatePoints(points, k, fileName)
  const kernel = chooseKernel(engines.cpu, 'cpu', points, k)
  const start = await seed(points, { ...config, k, features }, config.seed, kernel, signal)
  return { data, k, start, config }
}

async function rowsOfRunning(
  of: Case,
  { dataset, k }: SuiteWorkload,
  running: readonly PlannedCell[],
  suite: Suite,
  dependencies: BenchmarkDependencies,
  lead: Lead,
): Promise<Measurement[]> {
  const { n, d } = of.data.points
  const contenders = suite.contenders.filter((one) =>
    running.some(({ contender }) => contender === contenderKey(one)),
  )
  const shape = { dataset: dataset.name, k, n, d, refused: null }
  const resolved = await resolveCase(shape, { ...suite, contenders }, dependencies, lead.signal)
  const gone = resolved.flatMap(({ cell }) =>
    cell.skipped === null ? [] : [rowWithout(cell, 'skipped', cell.skipped)],
  )
  const contenderRunners = resolved
    .filter(({ cell }) => cell.skipped === null)
    .map((one) => limited(contenderRunnerOf(planned(one, running), of, dependencies), suite))
  if (contenderRunners.length === 0) return gone
  return [...gone, ...(await runCase(of, contenderRunners, suite, dependencies, lead))]
}

/** What was foretold stays in the row. */
function planned({ cell, run }: ResolvedCell, cells: readonly PlannedCell[]): ResolvedCell {
  const known = cells.find((one) => sameCell(one, cell))
  const shortened = known?.shortened
  const predictedMs = known?.predictedMs ?? null
  return { cell: { ...cell, predictedMs, ...(shortened !== undefined && { shortened }) }, run }
}

/** A cell that may not take for ever is ended in time, whatever was foretold. */
function limited(contenderRunner: ContenderRunner, suite: Suite): ContenderRunner {
  const limitMs = cellLimitMs(suite)
  return limitMs === null ? contenderRunner : new LimitedRunner(contenderRunner, limitMs)
}

/** With the iterations that a cell has the time for. */
function shortenedCase(of: Case, { shortened }: PlannedCell): Case {
  if (shortened === undefined) return of
  return { ...of, config: { ...of.config, maxIterations: shortened.iterations } }
}

function contenderRunnerOf(
  { cell, run }: ResolvedCell,
  whole: Case,
  { outside }: BenchmarkDependencies,
): ContenderRunner {
  const of = shortenedCase(whole, cell)
  if (run !== null) return new VariantContenderRunner(cell, run, of)
  const system = outsideSystems.find((one) => one === cell.variant)
  if (system === undefined) throw new TypeError(`Expected an outside system but received ${cell.variant}`)
  return new OutsideContenderRunner(cell, system, outside, of)
}
