import { LabError, toErrorReport } from '@shared/errors'
import type { Session } from '../engine'

/** What a session is opened by; see Plan. */
export interface Planned {
  readonly regime: string
  readonly reason: string
  /** Where the device turns out not to have what the regime needs; null: then it fails. */
  readonly otherwise: string | null
  /** Why then. */
  readonly reasonOtherwise: string
}

/** A session by the regime planned, or by the other one; it says which, and what went wrong before. */
export interface Opening {
  open(regime: string): Promise<Session>
  /** Whether the regime needs matrix units: whatever goes wrong with these costs speed and nothing else. */
  needsUnits(regime: string): boolean
}

/**
 * Opens by the plan. Where memory is short for what the regime keeps, or its matrix units fail, by the plan's other regime.
 * @throws LabError of the first attempt where there is no other regime, else of the second
 */
export async function openPlanned(
  { regime, reason, otherwise, reasonOtherwise }: Planned,
  { open, needsUnits }: Opening,
): Promise<Session> {
  try {
    return withPlan(await open(regime), regime, reason, [])
  } catch (error) {
    const units = needsUnits(regime)
    if (otherwise === null || !(units || isShortOfMemory(error))) throw error
    const session = await open(otherwise)
    if (!units) return withPlan(session, otherwise, reasonOtherwise, [])
    const because = `The matrix units could not be used, which made the run slower: ${causeOf(error)}`
    return withPlan(session, otherwise, reasonOtherwise, [because])
  }
}

function withPlan(session: Session, regime: string, reason: string, more: readonly string[]): Session {
  const warnings = [...(session.warnings ?? []), ...more]
  return Object.assign(session, { plan: { regime, reason } }, warnings.length > 0 ? { warnings } : {})
}

function isShortOfMemory(error: unknown): boolean {
  return error instanceof LabError && error.code === 'webgpu.out-of-memory'
}

function causeOf(thrown: unknown): string | undefined {
  return thrown instanceof LabError ? thrown.message : toErrorReport(thrown).details?.split('\n')[0]
}
