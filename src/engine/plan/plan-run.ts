import { variants } from '@kernels/variants'
import type { Plan, PlanHints, PlanQuestion } from '@shared/plan'
import type { RunShape, VariantId } from '@shared/variant'
import { reasonWithSums } from '../engines/device-sums'
import type { Engine, SessionConfig, SessionPlan } from '../engines/engine'
import { makePlan, planOfBuilt, type PlannedVariant } from './make-plan'

/** What a plan is made for. */
export interface PlannedRun {
  readonly engine: Pick<Engine, 'facts' | 'hints'>
  readonly device: { readonly id: string }
  readonly variant: VariantId
}

/** What a plan asks of a session's configuration. */
type PlannedConfig = Pick<SessionConfig, 'stop' | 'timing' | 'trackChanged' | 'iterations'>

/** A plan with what it was asked for. */
export interface RunPlan {
  readonly plan: Plan
  readonly variant: PlannedVariant
  readonly question: PlanQuestion
  readonly forced: string | null
}

/**
 * Made before anything is opened, from what the engine tells of the device.
 * @param forced the name of a regime that must be taken, or null
 * @returns null where the engine tells nothing of its devices
 * @throws LabError `input` as makePlan
 */
export async function planRun(
  { engine, device, variant: id }: PlannedRun,
  shape: RunShape,
  config: PlannedConfig,
  forced: string | null,
): Promise<RunPlan | null> {
  const facts = await engine.facts?.(device.id)
  if (facts === undefined) return null
  const variant = variants.find((declared) => declared.id === id) ?? { id }
  const hints = { ...engine.hints?.(shape, device.id), ...hintsOf(config) }
  const question = { shape, device: facts, hints }
  return { plan: makePlan(variant, question, forced), variant, question, forced }
}

/** What follows from a session's configuration. */
export function hintsOf({ stop, timing, trackChanged, iterations }: PlannedConfig): PlanHints {
  const hints = { countsChanges: trackChanged || stop === 'labels', timed: timing !== 'total' }
  return iterations === undefined ? hints : { ...hints, iterations }
}

/** The part of a session's configuration that a plan makes. */
export function regimeConfig(planned: RunPlan | null): Pick<SessionConfig, 'regime' | 'otherwise'> {
  if (planned === null) return {}
  const { regime, probe } = planned.plan
  return { regime, otherwise: probe?.otherwise ?? null }
}

/** What a session tells of itself. */
type ReportedPlan = Pick<SessionPlan, 'regime'> & Partial<SessionPlan>

/**
 * What really runs, its probes made: the regime as the session tells it, the reason as the table has it.
 * @returns null where nothing was planned
 */
export function carriedOut(planned: RunPlan | null, reported?: ReportedPlan): SessionPlan | null {
  if (planned === null) return null
  const { plan, variant, question, forced } = planned
  const regime = reported?.regime ?? plan.regime
  const found = forced === null ? (planOfBuilt(variant, question, regime)?.reason ?? reported?.reason) : null
  return { regime, reason: reasonWithSums(found ?? plan.reason, reported?.sharing) }
}
