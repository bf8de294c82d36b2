import { variants } from '@kernels/variants'
import { LabError, invalidArgument } from '@shared/errors'
import type { CudaFacts, PlanHints, PlanQuestion, Regime } from '@shared/plan'
import { deviceMemoryLimit } from '../memory'
import { bestRegime, regimeChain, withFinding } from '@shared/regimes'
import type { RunShape, VariantId } from '@shared/variant'
import type { SessionConfig, SessionPlan } from './engine'
import type { CudaAddon, NativePlan } from './native'

/** What the addon receives of a plan: the names with commas, in the order in which probes of the data are asked. */
export interface CarriedOut {
  readonly regime: string | null
  readonly otherwise: string | null
  readonly otherPasses: string | null
}

/** The table of a variant; null where it has one way only. */
export function cudaRegimes(variant: VariantId): readonly Regime<CudaFacts>[] | null {
  return variants.find(({ id }) => id === variant)?.regimes?.cuda ?? null
}

/** Memory that could still be taken on a device, and may be. */
export function freeOn(addon: Pick<CudaAddon, 'freeBytes'>, deviceIndex: number): number {
  return Math.min(addon.freeBytes(deviceIndex), deviceMemoryLimit() ?? Number.POSITIVE_INFINITY)
}

/** What is known of memory: whether the points fit, and what is free beside them. */
export function memoryHints(addon: CudaAddon, { n, d, k }: RunShape, deviceIndex: number): PlanHints {
  const freeBytes = Math.max(0, freeOn(addon, deviceIndex) - 4 * n * d)
  return { streamed: addon.mustStream(n, d, k, deviceIndex), freeBytes }
}

/** What a table is asked for a session. */
export function cudaQuestion(
  addon: CudaAddon,
  config: SessionConfig,
  shape: RunShape,
  deviceIndex: number,
): PlanQuestion<CudaFacts> {
  const hints = {
    ...memoryHints(addon, shape, deviceIndex),
    countsChanges: config.trackChanged || config.stop === 'labels',
    timed: config.timing !== 'total',
    ...(config.iterations !== undefined && { iterations: config.iterations }),
  }
  return { shape, device: addon.deviceFacts(deviceIndex), hints }
}

/**
 * What is to be built: the regime of the configuration, else the best.
 * @throws LabError `input` where the variant cannot be carried out so, in one sentence.
 */
export function carriedOut(
  table: readonly Regime<CudaFacts>[] | null,
  question: PlanQuestion<CudaFacts>,
  { variant, regime, otherwise }: SessionConfig,
): CarriedOut {
  if (table === null) return { regime: null, otherwise: null, otherPasses: null }
  const best = regimeChain(table, question)
  const names = regime === undefined ? best : planned(best, regime, otherwise ?? null)
  const [first, ...rest] = names
  if (first === undefined) throw new LabError('input', 'cuda.refused', bestRegime(table, question).reason)
  const row = table.find(({ name }) => name === first)
  if (row === undefined) throw unknownRegime(table, variant, first)
  const refusal = row.refuses(question)
  if (refusal !== null) throw new LabError('input', 'cuda.refused', refusal)
  const others = row.otherPasses?.(question) ?? []
  return { regime: first, otherwise: joined(rest), otherPasses: joined(others) }
}

/**
 * Why the regime that was built is the right one, its probes being known. Points that pass through the device are carried out by
 * the one regime that was named, which the native session does not tell.
 */
export function planOf(
  table: readonly Regime<CudaFacts>[],
  question: PlanQuestion<CudaFacts>,
  { regime: reported, findings }: NativePlan,
  carried: CarriedOut,
): SessionPlan {
  const regime = reported === '' ? (carried.regime ?? '') : reported
  const known = Object.entries(findings).reduce(
    (so, [probe, found]) => withFinding(so, probe, found),
    question,
  )
  const best = bestRegime(table, known)
  if (best.regime?.name === regime) return { regime, reason: best.reason }
  return { regime, reason: 'It was asked for by name.' }
}

/** A regime that hangs on a probe is followed by all that are tried where the probe finds nothing. */
function planned(best: readonly string[], regime: string, otherwise: string | null): readonly string[] {
  if (otherwise === null) return [regime]
  return best[0] === regime ? best : [regime, otherwise]
}

function joined(names: readonly string[]): string | null {
  return names.length === 0 ? null : names.join(',')
}

function unknownRegime(table: readonly Regime<CudaFacts>[], variant: VariantId, regime: string): LabError {
  const names = table.map(({ name }) => name)
  return invalidArgument(`one of ${names.join(', ')}`, `the regime of ${variant} on CUDA`, regime)
}
