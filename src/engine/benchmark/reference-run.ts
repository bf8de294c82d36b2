import type { PlannedCell } from '@shared/benchmark/document'
import { plannedIterations } from '@shared/benchmark/plan-note'
import { offersFloat64, type Precision } from '@shared/precision'
import type { VariantId } from '@shared/variant'
import { contendersFor } from '../auto/contenders'
import { predictMs } from '../auto/resolve'
import { precisionOfArray } from '../dataset/coordinates'
import type { ResolvedRun } from '../run/types'
import type { Case } from './contender-runner'
import type { Centroids } from './exactness'
import { costsOfAll } from './predict'
import type { BenchmarkDependencies } from './dependencies'
import { VariantContenderRunner } from './variant-contender-runner'

/** The textbook loops are the reference where they end in so short a time: else all threads give one that is as exact. */
const maxSequentialMs = 250
/** Longest run of any reference. */
const maxReferenceMs = 20_000

/** A whole run on the shared start that others are compared with. */
export interface ReferenceRun {
  /** E.g. `cpu/sequential`. */
  readonly name: string
  readonly labels: Int32Array
  readonly centroids: Centroids
  readonly iterations: number
}

interface Timed {
  readonly run: ResolvedRun
  readonly ms: number
}

/** A variant on the processor that is exact and gives the same bytes always. */
export interface Reference {
  readonly contenderRunner: VariantContenderRunner
  /** Whether a whole run of it is affordable. */
  readonly isAffordable: boolean
}

/**
 * Whom to ask, best first: `sequential` where it ends in a moment, then the processor's exact, deterministic
 * variants, the fastest first.
 * @throws LabError `cancelled`
 */
export async function rankReferences(
  of: Case,
  { engines }: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<Reference[]> {
  const { points } = of.data
  const runs = await exactOnes(precisionOfArray(points.x), engines)
  const shape = { n: points.n, d: points.d, k: of.k }
  const costs = await costsOfAll(runs, signal)
  const isTextbook = ({ run, ms }: Timed) => run.variant === 'sequential' && ms <= maxSequentialMs
  return runs
    .map((run) => ({ run, ms: predictMs(run, costs, shape, plannedIterations(of.config)) ?? Infinity }))
    .sort((a, b) => Number(isTextbook(b)) - Number(isTextbook(a)) || a.ms - b.ms)
    .map(({ run, ms }) => ({
      contenderRunner: new VariantContenderRunner(unplanned(run, shape), run, of),
      isAffordable: ms <= maxReferenceMs,
    }))
}

/** @throws LabError `cancelled`, and what engines throw */
export async function runReference(
  { contenderRunner }: Reference,
  signal: AbortSignal,
): Promise<ReferenceRun> {
  const { labels, centroids, iterations } = await contenderRunner.run('total', signal)
  return { name: contenderRunner.cell.contender, labels, centroids, iterations }
}

async function exactOnes(
  precision: Precision,
  engines: BenchmarkDependencies['engines'],
): Promise<ResolvedRun[]> {
  const exact = engines.cpu
    .variants()
    .filter(({ id, ...variant }) => variant.deterministic && variant.exact && worksIn(precision, id))
  const choices = exact.map(({ id }) => ({ engine: 'cpu', device: null, variant: id }) as const)
  const found = await Promise.all(choices.map((choice) => contendersFor(choice, engines).catch(() => [])))
  return found.flatMap((runs) => runs.slice(0, 1))
}

const worksIn = (precision: Precision, variant: VariantId) =>
  precision === 'float32' || offersFloat64(variant)

function unplanned(
  { engine, device, variant }: ResolvedRun,
  shape: { n: number; d: number; k: number },
): PlannedCell {
  return {
    ...shape,
    dataset: '',
    contender: `${engine.id}/${variant}`,
    engine: engine.id,
    device: device.id,
    deviceName: device.name,
    variant,
    predictedMs: null,
    memoryBytes: null,
    skipped: null,
  }
}
