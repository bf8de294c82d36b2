import { variants } from '@kernels/variants'
import type { PlannedCell } from '@shared/benchmark/document'
import type { Plan } from '@shared/benchmark/requests'
import { outsideSystems, type OutsideSystem, type Suite, type SuiteCase } from '@shared/benchmark/suite'
import { LabError } from '@shared/errors'
import { precisionOf } from '@shared/precision'
import { plural } from '@shared/quantity-words'
import type { StopRule } from '@shared/run-config'
import type { Costs } from '../auto/calibration-file'
import { contendersFor } from '../auto/contenders'
import type { ResolvedRun } from '../run/types'
import { throwIfAborted } from '../slices'
import { hostRefusal } from './case-memory'
import { withinLimit, type Foretold } from './shorten'
import { costsOfOutside } from './outside-costs'
import { costsOfAll, predictCellMs, predictOutsideMs, sampledMs } from './predict'
import { resolveCase, type CaseShape, type ResolvedCell } from './resolve-cell'
import type { BenchmarkDependencies } from './dependencies'

/**
 * What each cell of a suite is expected to take, in the order dataset, k, contender. Files are read for their size,
 * contenders that were never measured on this machine are calibrated.
 * @throws LabError `cancelled`
 */
export async function planSuite(
  suite: Suite,
  dependencies: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<Plan> {
  const resolved: ResolvedCell[] = []
  for (const one of suite.cases) {
    for (const shape of await shapesOf(one, suite, dependencies, signal)) {
      resolved.push(...(await resolveCase(shape, suite, dependencies, signal)))
    }
  }
  const cells = await foretell(resolved, suite, dependencies, signal)
  return { cells, predictedMs: sumOf(cells) }
}

async function shapesOf(
  { dataset, k }: SuiteCase,
  suite: Suite,
  { datasets }: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<CaseShape[]> {
  throwIfAborted(signal)
  const of = (n: number, d: number, refused: string | null) =>
    k.map((clusters) => ({ dataset: dataset.name, k: clusters, n, d, refused }))
  try {
    const { n, d } = await datasets.shape(dataset, suite.config, signal)
    return of(n, d, dataset.kind === 'generated' ? hostRefusal({ n, d }, precisionOf(suite.config)) : null)
  } catch (error) {
    // One unreadable file must not keep a folder of others from being measured.
    if (!(error instanceof LabError) || error.kind === 'cancelled') throw error
    return of(0, 0, error.message)
  }
}

async function foretell(
  resolved: readonly ResolvedCell[],
  suite: Suite,
  dependencies: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<PlannedCell[]> {
  const seeder = await seederOf(dependencies)
  const runs = distinct(resolved.flatMap(({ run }) => (run === null ? [] : [run])))
  const ours = await costsOfAll(seeder === null ? runs : distinct([...runs, seeder]), signal)
  const systems = outsideSystems.filter((system) => resolved.some(({ cell }) => isRunBy(system, cell)))
  const outside = await costsOfOutside(systems, dependencies.outside, signal)
  const costs = { ...ours, ...outside }
  const threads = await threadsOf(dependencies)
  return withSamples(
    resolved.map((one) => {
      const known = foretold(one, seeder, costs, threads, suite.config.stop)
      return known === null ? one.cell : withinLimit(one.cell, known, suite)
    }),
  )
}

/** The first contender of a case computes what the others are compared with as well. */
function withSamples(cells: readonly PlannedCell[]): PlannedCell[] {
  const begun = new Set<string>()
  return cells.map((cell) => {
    const workload = JSON.stringify([cell.dataset, cell.k])
    if (cell.skipped !== null || cell.predictedMs === null || begun.has(workload)) return cell
    begun.add(workload)
    return { ...cell, predictedMs: cell.predictedMs + sampledMs(cell) }
  })
}

function isRunBy(system: OutsideSystem, { engine, variant, skipped }: PlannedCell): boolean {
  return engine === null && variant === system && skipped === null
}

/** Null for a cell that nobody runs. */
function foretold(
  { cell, run }: ResolvedCell,
  seeder: ResolvedRun | null,
  costs: Costs,
  threads: number | null,
  stop: StopRule,
): Foretold | null {
  if (run !== null) {
    return {
      predict: (suite) => predictCellMs(run, seeder, costs, cell, suite),
      where: whereOf(run, threads),
      isFixed: stop === 'none',
    }
  }
  const system = outsideSystems.find((one) => isRunBy(one, cell))
  if (system === undefined) return null
  return {
    predict: (suite) => predictOutsideMs(system, costs, cell, suite),
    where: `with ${system}`,
    // It ends where no label changes, whatever it is told.
    isFixed: stop === 'none' && system !== 'scikit-learn',
  }
}

/** `on 16 threads`, or the device by its name. */
function whereOf({ engine, device, variant }: ResolvedRun, threads: number | null): string {
  const isSerial = variants.find(({ id }) => id === variant)?.isSerial === true
  if (engine.id !== 'cpu' || (threads === null && !isSerial)) return `on ${device.name}`
  return `on ${plural(isSerial ? 1 : (threads ?? 1), 'thread')}`
}

/** Of the processor's variants; null where it does not tell. */
async function threadsOf({ engines }: BenchmarkDependencies): Promise<number | null> {
  const threads = Number((await engines.cpu.versions())['cpu threads'])
  return Number.isInteger(threads) ? threads : null
}

/** Whose pace the seeding goes at: ours on the processor; null where that is missing. */
async function seederOf({ engines }: BenchmarkDependencies): Promise<ResolvedRun | null> {
  const choice = { engine: 'cpu', device: null, variant: 'fused' } as const
  const found = await contendersFor(choice, engines).catch(() => [])
  return found[0] ?? null
}

function distinct(runs: readonly ResolvedRun[]): ResolvedRun[] {
  const keyOf = ({ engine, device, variant }: ResolvedRun) => `${engine.id} ${device.id} ${variant}`
  return [...new Map(runs.map((run) => [keyOf(run), run])).values()]
}

function sumOf(cells: readonly PlannedCell[]): number | null {
  const running = cells.filter(({ skipped }) => skipped === null)
  if (running.some(({ predictedMs }) => predictedMs === null)) return null
  return running.reduce((sum, { predictedMs }) => sum + (predictedMs ?? 0), 0)
}
