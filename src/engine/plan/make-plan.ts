import { LabError, invalidArgument } from '@shared/errors'
import {
  asStudied,
  type DeviceFacts,
  type Plan,
  type PlanQuestion,
  type Regime,
  type RegimeTables,
} from '@shared/plan'
import { bestRegime, withFinding } from '@shared/regimes'
import type { VariantDeclaration } from '@shared/variant-declaration'

/** A variant as plans see it. */
export type PlannedVariant = Pick<VariantDeclaration, 'id' | 'regimes' | 'workspaceBytes'>

const askedFor = 'It was asked for by name.'

/**
 * How a variant carries out a question of shape, device and hints: the same question gives the same plan.
 * @param forced the name of a regime that must be taken, or null
 * @throws LabError `input` where the variant, or the regime asked for, cannot carry it out: one sentence says why.
 */
export function makePlan(
  variant: PlannedVariant,
  question: PlanQuestion,
  forced: string | null = null,
): Plan {
  const table = tableOf(variant.regimes, question.device)
  if (table === null) return studiedPlan(variant, question, forced)
  const { regime, reason } =
    forced === null ? bestOf(variant, table, question) : named(variant, table, question, forced)
  return {
    variant: variant.id,
    regime: regime.name,
    reason,
    workspaceBytes: regime.workspaceBytes?.(question) ?? variant.workspaceBytes?.(question.shape) ?? 0,
    ...(regime.openBytes && { openBytes: regime.openBytes(question) }),
    predictedMs: null,
    probe: forced === null ? (regime.probe?.(question) ?? null) : null,
  }
}

/**
 * The plan that holds when its probes have been made.
 * @param built the regime that they led to
 * @returns null where no finding leads there
 */
export function planOfBuilt(variant: PlannedVariant, question: PlanQuestion, built: string): Plan | null {
  const plan = makePlan(variant, question)
  if (plan.probe === null) return plan.regime === built ? plan : null
  const { name } = plan.probe
  if (plan.regime !== built) return planOfBuilt(variant, withFinding(question, name, false), built)
  return planOfBuilt(variant, withFinding(question, name, true), built) ?? plan
}

/** Rows of a table take the facts of their own engine, which the device's are. */
function tableOf(tables: RegimeTables | undefined, { engine }: DeviceFacts): readonly Regime[] | null {
  return (tables?.[engine] as readonly Regime[] | undefined) ?? null
}

function studiedPlan(variant: PlannedVariant, { shape, device }: PlanQuestion, forced: string | null): Plan {
  if (forced !== null && forced !== asStudied) throw unknown(variant, device, [asStudied], forced)
  return {
    variant: variant.id,
    regime: asStudied,
    reason: 'It has one way only.',
    workspaceBytes: variant.workspaceBytes?.(shape) ?? 0,
    predictedMs: null,
    probe: null,
  }
}

function bestOf(variant: PlannedVariant, table: readonly Regime[], question: PlanQuestion) {
  const { regime, reason } = bestRegime(table, question)
  if (regime !== null) return { regime, reason }
  const message = `The variant '${variant.id}' cannot run on ${question.device.name}: ${reason}`
  throw new LabError('input', 'plan.refused', message)
}

function named(variant: PlannedVariant, table: readonly Regime[], question: PlanQuestion, name: string) {
  const regime = table.find((row) => row.name === name)
  if (regime === undefined) {
    const names = table.map((row) => row.name)
    throw unknown(variant, question.device, names, name)
  }
  const refusal = regime.refuses(question)
  if (refusal === null) return { regime, reason: askedFor }
  const message = `The regime '${name}' of '${variant.id}' cannot run on ${question.device.name}: ${refusal}`
  throw new LabError('input', 'plan.refused', message)
}

function unknown({ id }: PlannedVariant, { engine }: DeviceFacts, names: readonly string[], name: string) {
  return invalidArgument(`one of ${names.join(', ')}`, `the regime of ${id} on ${engine}`, name)
}
