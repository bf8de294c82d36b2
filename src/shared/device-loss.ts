/** What happens when an engine loses its device, or its process dies, in the middle of a run: decided here for all who ask. */
import type { RunConfig } from './run-config'
import type { EngineId } from './variant'

/**
 * What the command line does then. Where none is named a person at a terminal is asked, and nobody else is moved to another engine.
 * The window always asks.
 */
export const lossPolicies = ['stop', 'continue'] as const
export type LossPolicy = (typeof lossPolicies)[number]

/** No driver can fail there. */
export const lastResort = 'cpu' satisfies EngineId

/**
 * Who takes over, best first: the next one whose device is there and is hardware, else the last resort. The CPU engine has no device
 * to lose: when its process died, it takes its own run up again.
 */
export const successors = {
  cuda: ['webgpu', lastResort],
  webgpu: [lastResort],
  cpu: [lastResort],
} as const satisfies Readonly<Record<EngineId, readonly EngineId[]>>

/**
 * The engine that a run which was lost is offered elsewhere, without its iterations.
 * @param lost null: the choice was left to us and lost at once; it is not made a second time
 * @returns null where there is no other that could be trusted more
 */
export function insteadOf(lost: EngineId | null): EngineId | null {
  return lost === lastResort ? null : lastResort
}

/** Named in the sentence about the loss, for a person who chooses anew. */
export function adviceAfter(lost: EngineId): EngineId {
  return insteadOf(lost) ?? 'webgpu'
}

/** The same run from its start: device, variant and what was named of its own are those of the engine that was lost. */
export function onAnotherEngine<E extends EngineId>(config: RunConfig, engine: E) {
  const own = { device: null, variant: 'auto', regime: null, workers: null } as const
  return { ...config, engine, ...own } satisfies RunConfig
}
