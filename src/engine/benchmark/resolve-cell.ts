import type { PlannedCell } from '@shared/benchmark/document'
import { contenderKey, type Contender, type Suite, type SuiteConfig } from '@shared/benchmark/suite'
import { LabError } from '@shared/errors'
import { precisionOf, type Precision } from '@shared/precision'
import { resolveRun } from '../auto/resolve'
import type { ResolvedRun } from '../run/types'
import { validatePrecision } from '../run/validate'
import { orAborted } from '../slices'
import { deviceRefusal, runBytes } from './case-memory'
import type { DataShape } from './dataset-cache'
import type { BenchmarkDependencies } from './dependencies'

/** A cell with what will carry it out; `run` is null where that is outside this program, or nothing. */
export interface ResolvedCell {
  readonly cell: PlannedCell
  readonly run: ResolvedRun | null
}

/** Of one dataset and one k. */
export interface CaseShape extends DataShape {
  readonly dataset: string
  readonly k: number
  /** One sentence: why the dataset cannot be had; null when it can. */
  readonly refused: string | null
}

type VariantContender = Extract<Contender, { kind: 'variant' }>
type OutsideContender = Extract<Contender, { kind: 'outside' }>

/**
 * What will carry out each contender of a case, or why nothing will. Nothing is foretold yet.
 * @throws LabError `cancelled`
 */
export async function resolveCase(
  shape: CaseShape,
  { contenders, config }: Pick<Suite, 'contenders' | 'config'>,
  dependencies: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<ResolvedCell[]> {
  const cells: ResolvedCell[] = []
  const refused = shape.refused ?? refusalOf(shape)
  for (const contender of contenders) {
    const resolved =
      contender.kind === 'outside'
        ? await outside(shape, contender, config, dependencies, signal)
        : await ours(shape, contender, precisionOf(config), dependencies, signal)
    const skipped = refused ?? resolved.cell.skipped
    cells.push(skipped === null ? resolved : { cell: { ...resolved.cell, skipped }, run: null })
  }
  return cells
}

/** What holds for all contenders of a case. */
function refusalOf({ n, k, dataset }: CaseShape): string | null {
  return k > n ? `k is ${k} but ${dataset} has only ${n} points: choose a smaller k.` : null
}

async function ours(
  shape: CaseShape,
  contender: VariantContender,
  precision: Precision,
  { engines }: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<ResolvedCell> {
  const { engine, variant } = contender
  const empty = { ...unknown(shape, contender), engine, device: contender.device, variant }
  try {
    const [run] = await resolveRun({ ...contender, k: shape.k }, shape, signal, engines)
    const { device } = run
    validatePrecision({ precision, variant: run.variant, engine: run.engine.id })
    const memoryBytes = runBytes(run.variant, shape, precision)
    const skipped = deviceRefusal(device, run.variant, shape, precision)
    const names = { device: device.id, deviceName: device.name, variant: run.variant }
    return { cell: { ...empty, ...names, memoryBytes, skipped }, run }
  } catch (error) {
    if (!(error instanceof LabError) || error.kind === 'cancelled') throw error
    return { cell: { ...empty, skipped: error.message }, run: null }
  }
}

async function outside(
  shape: CaseShape,
  contender: OutsideContender,
  { empty }: SuiteConfig,
  dependencies: BenchmarkDependencies,
  signal: AbortSignal,
): Promise<ResolvedCell> {
  const reports = await orAborted(dependencies.outside.reports(), signal)
  const report = reports.find(({ system }) => system === contender.system)
  const available = report?.available ?? false
  const reason = report?.reason ?? `${contender.system} is not known here: leave it out.`
  const policy = `${contender.system} cannot ${emptyWords[empty]} an empty cluster: choose keep for empty clusters, or leave it out.`
  const skipped = available ? (empty === 'keep' ? null : policy) : reason
  const cell = { ...unknown(shape, contender), variant: contender.system, skipped }
  return { cell, run: null }
}

const emptyWords = { keep: 'keep', farthest: 'move', drop: 'drop' } as const

function unknown({ dataset, k, n, d }: CaseShape, contender: Contender) {
  return {
    ...{ dataset, k, contender: contenderKey(contender), n, d },
    ...{ engine: null, device: null, deviceName: null, predictedMs: null, memoryBytes: null, skipped: null },
  }
}
