import { variants } from '@kernels/variants'
import { LabError } from '@shared/errors'
import { asStudied, type DeviceFacts, type Plan, type PlanHints, type Regime } from '@shared/plan'
import { defaultRunConfig } from '@shared/run-config'
import { engineIds, type EngineId, type RunShape, type VariantId } from '@shared/variant'
import { trialIterationMs, trialPoints } from '../auto/trial'
import { engines } from '../engines'
import type { ResolvedRun } from '../run/types'
import { makePlan } from './make-plan'
import { planMemory, type MemoryPlan } from './memory-plan'

/** A device that is planned for: here, or described in a file. */
export interface PlannedDevice {
  readonly engine: EngineId
  readonly device: string
  readonly facts: DeviceFacts
  readonly variants: readonly VariantId[]
  /** Null for one that is not here. */
  readonly here: Pick<ResolvedRun, 'engine' | 'device'> | null
  hints(shape: RunShape): PlanHints
}

/** What would carry out a variant on a device. */
export interface ListedPlan {
  readonly engine: EngineId
  readonly device: string
  readonly variant: VariantId
  /** Null where the variant cannot run there: `reason` says why. */
  readonly plan: Plan | null
  /** Null where the variant cannot run there, or the device is not here. */
  readonly memory: MemoryPlan | null
  readonly reason: string
}

/** A regime of a variant on an engine, whatever the shape. */
export interface ListedRegime {
  readonly engine: EngineId
  readonly variant: VariantId
  readonly regime: string
  readonly summary: string
}

/** Devices of this machine whose engines plan. */
export async function devicesHere(): Promise<PlannedDevice[]> {
  const lists = await Promise.all(engineIds.map((id) => devicesOf(id)))
  return lists.flat()
}

async function devicesOf(id: EngineId): Promise<PlannedDevice[]> {
  const engine = engines[id]
  if (engine.facts === undefined || !(await engine.availability()).available) return []
  const offered = engine.variants().map((variant) => variant.id)
  const found: PlannedDevice[] = []
  for (const device of await engine.devices()) {
    const facts = await engine.facts(device.id)
    const hints = (shape: RunShape) => engine.hints?.(shape, device.id) ?? {}
    found.push({ engine: id, device: device.id, facts, variants: offered, here: { engine, device }, hints })
  }
  return found
}

/** A device that its facts describe; it has all variants of its engine. */
export function describedDevice(facts: DeviceFacts): PlannedDevice {
  const { engine, name } = facts
  const offered = variants.filter((variant) => variant.engines[engine] !== undefined)
  const ids = offered.map(({ id }) => id)
  return { engine, device: name, facts, variants: ids, here: null, hints: () => ({}) }
}

/**
 * The plan of every variant on a device, for a plain run. What is here, and no software adapter, carries out a few iterations of each
 * to foretell their time.
 */
export async function listPlans(
  on: PlannedDevice,
  shape: RunShape,
  signal: AbortSignal,
): Promise<ListedPlan[]> {
  const hints = { ...on.hints(shape), iterations: defaultRunConfig.maxIterations }
  const question = { shape, device: on.facts, hints }
  const timeOf = timer(on, shape, signal)
  const list: ListedPlan[] = []
  for (const id of on.variants) {
    const variant = variants.find((declared) => declared.id === id)
    if (variant === undefined) continue
    const target = { engine: on.engine, device: on.device, variant: id }
    try {
      const made = makePlan(variant, question)
      const plan = { ...made, predictedMs: await timeOf(id, made) }
      const memory = on.here && planMemory(shape, on.facts, plan, hints.streamed ?? false)
      list.push({ ...target, plan, memory, reason: plan.reason })
    } catch (error) {
      if (!(error instanceof LabError) || error.kind !== 'input') throw error
      list.push({ ...target, plan: null, memory: null, reason: error.message })
    }
  }
  return list
}

/** Null where nothing can be tried. */
function timer({ here }: PlannedDevice, shape: RunShape, signal: AbortSignal) {
  if (here === null || here.device.software || shape.k > shape.n) return () => Promise.resolve(null)
  const points = trialPoints(shape)
  return (variant: VariantId, plan: Plan) =>
    trialIterationMs({ ...here, variant }, plan, shape, points, signal)
}

/** All regimes of all variants: what can be asked for by name. */
export function listRegimes(): ListedRegime[] {
  return engineIds.flatMap((engine) =>
    variants.flatMap(({ id, engines: on, regimes, summary }) => {
      if (on[engine] === undefined) return []
      const table = regimes?.[engine] as readonly Regime[] | undefined
      const rows = table ?? [{ name: asStudied, summary }]
      return rows.map((row) => ({ engine, variant: id, regime: row.name, summary: row.summary }))
    }),
  )
}
