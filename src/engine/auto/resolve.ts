import { variants } from '@kernels/variants'
import type { VariantDeclaration } from '@shared/variant'
import { appVersion } from '../app-version'
import type { Points } from '../engines/engine'
import { engines } from '../engines'
import { cpuModel } from '../machine'
import type { ResolvedRun } from '../run/run'
import { orAborted } from '../slices'
import { calibrate } from './calibrate'
import { calibrationPath, readCosts, writeCosts, type Costs } from './calibration-file'
import { contendersFor, type Choice, type EngineTable } from './contenders'
import { expectedMs, typicalIterations, type Cost, type Shape } from './cost-model'

/** Time all contenders together may take for a calibration, about. */
const calibrationMs = 1500

/** Costs of this process, for the file and machine they belong to. */
let inMemory: { readonly key: string; readonly costs: Costs } = { key: '', costs: {} }

/**
 * What carries out a choice, best first: one entry where nothing was left to us, else all contenders by their
 * expected time (ties in the order of engines and variants). The same calibration gives the same order.
 * @throws LabError `engine-missing`, `input` (see contendersFor), `cancelled`.
 */
export function resolveRun(
  choice: Choice & { readonly k: number },
  { n, d }: Pick<Points, 'n' | 'd'>,
  signal: AbortSignal,
  table: EngineTable = engines,
): Promise<readonly ResolvedRun[]> {
  // Finding adapters and compiling take seconds where there is no GPU; a cancel is answered at once all the same.
  return orAborted(order({ ...choice, n, d }, signal, table), signal)
}

async function order(
  choice: Choice & Shape,
  signal: AbortSignal,
  table: EngineTable,
): Promise<readonly ResolvedRun[]> {
  const contenders = await contendersFor(choice, table)
  if (contenders.length === 1) return contenders
  const costs = await costsOf(contenders, signal)
  return rank(contenders, costs, choice)
}

/** Pure: contenders by expected time; those that failed their calibration are left out. */
export function rank(contenders: readonly ResolvedRun[], costs: Costs, shape: Shape): ResolvedRun[] {
  const timed = contenders.flatMap((run) => {
    const ms = expectedOf(run, costs, shape)
    return ms === null ? [] : [{ run, ms }]
  })
  if (timed.length === 0) return [...contenders]
  return timed.sort((a, b) => a.ms - b.ms).map(({ run }) => run)
}

/**
 * Expected time of a run, by what was measured of the contender: null where nothing is known.
 * @param iterations as many as a typical run has, unless told otherwise
 */
export function predictMs(
  run: ResolvedRun,
  costs: Costs,
  shape: Shape,
  iterations = typicalIterations,
): number | null {
  const cost = costs[nameOf(yardstick(run))]
  if (!cost) return null
  const share = declarationOf(run)?.shareOfFused?.(run.engine.id, shape) ?? 1
  return expectedMs(cost, shape, iterations) * share
}

/** From its own calibration; a variant that is compared with `fused` takes its share of that one's time. */
function expectedOf(run: ResolvedRun, costs: Costs, shape: Shape): number | null {
  const cost = costs[nameOf(yardstick(run))]
  if (!cost) return null
  const share = declarationOf(run)?.shareOfFused?.(run.engine.id, shape)
  // What gains nothing must not be first by the noise of a measurement.
  return share === null ? Number.MAX_VALUE : expectedMs(cost, shape) * (share ?? 1)
}

/** What is measured for a contender: itself, or `fused` on its device. */
function yardstick(run: ResolvedRun): ResolvedRun {
  return declarationOf(run)?.shareOfFused === undefined ? run : { ...run, variant: 'fused' }
}

function declarationOf({ variant }: ResolvedRun): VariantDeclaration | undefined {
  return variants.find(({ id }) => id === variant)
}

/** Name of a contender in the calibration. The device's name is in it: another card is measured anew. */
export function nameOf({ engine, device, variant }: ResolvedRun): string {
  return [engine.id, device.id, device.name, variant].join('|')
}

/**
 * From memory or the file; what is missing there is measured once and kept.
 * @param budgetMs about what measuring may take, for all that is missing together
 * @param isPatient see calibrate
 */
export async function costsOf(
  contenders: readonly ResolvedRun[],
  signal: AbortSignal,
  budgetMs = calibrationMs,
  isPatient = false,
): Promise<Costs> {
  const path = calibrationPath()
  const machine = [appVersion(), cpuModel(), process.arch].join('|')
  const key = `${path}|${machine}`
  const known = inMemory.key === key ? inMemory.costs : await readCosts(path, machine)
  const measuredRuns = new Map(contenders.map(yardstick).map((run) => [nameOf(run), run]))
  const missing = [...measuredRuns.values()].filter((run) => known[nameOf(run)] === undefined)
  if (missing.length === 0) {
    inMemory = { key, costs: known }
    return known
  }
  const measured: Record<string, Cost | null> = {}
  try {
    for (const run of missing) {
      measured[nameOf(run)] = await tryCalibrate(run, budgetMs / missing.length, signal, isPatient)
    }
  } finally {
    // What a cancel left is kept as well: it took its time.
    inMemory = { key, costs: { ...known, ...measured } }
    await writeCosts(path, machine, inMemory.costs)
  }
  return inMemory.costs
}

/** A contender that fails is out for this process; when all fail, the run itself tells why. */
async function tryCalibrate(
  run: ResolvedRun,
  budgetMs: number,
  signal: AbortSignal,
  isPatient: boolean,
): Promise<Cost | null> {
  try {
    return await calibrate(run, budgetMs, signal, isPatient)
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}
