import { labelUnits } from '@engine/benchmark/exactness'
import { engines } from '@engine/engines'
import type { Engine, Points, Session, SessionConfig } from '@engine/engines/engine'
import { sessionConfig } from './session-config'
import { gradeOf } from '@shared/approximate'
import { LabError } from '@shared/errors'
import { engineIds, type Device, type EngineId, type VariantId } from '@shared/variant'

/** One variant on one device: what the suite holds to the contract. */
export interface Contender {
  readonly name: string
  readonly engine: Engine
  readonly device: Device
  readonly variant: VariantId
  /** Forced by name; absent: the plan's. */
  readonly regime?: string
  /** Of a variant that has them; absent: the study's number. */
  readonly workers?: number
  readonly deterministic: boolean
  /** Held to exact arithmetic label for label; absent: to the bound. */
  readonly canonical?: boolean
  /** Bounds of kernels/contract.md. */
  readonly labelUnit: number
  readonly inertiaBound: number
  /** Largest n d k of a case, so that software adapters end in time. */
  readonly maxWork: number
}

export interface MissingEngine {
  readonly id: EngineId
  readonly reason: string
}

/** Largest error of an inertia, in shares of the total sum of squares (kernels/contract.md). */
export const inertiaBounds = { cpu: 1e-9, cuda: 1e-9, webgpu: 1e-6 } satisfies Record<EngineId, number>

/** Everything this machine can run, and why the rest is missing. */
export async function findContenders(): Promise<{ found: Contender[]; missing: MissingEngine[] }> {
  const found: Contender[] = []
  const missing: MissingEngine[] = []
  for (const id of engineIds) {
    const engine = engines[id]
    const availability = await engine.availability()
    if (availability.available) found.push(...(await contendersOf(engine)))
    else missing.push({ id, reason: availability.reason })
  }
  return { found, missing }
}

async function contendersOf(engine: Engine): Promise<Contender[]> {
  const devices = await engine.devices()
  return devices.flatMap((device) =>
    exactVariants(engine).map(({ id, deterministic }) => ({
      name: `${id} on ${device.id} (${device.name})`,
      engine,
      device,
      variant: id,
      deterministic,
      canonical: gradeOf(id, engine.id) === 'canonical',
      labelUnit: labelUnits[engine.id],
      inertiaBound: inertiaBounds[engine.id],
      maxWork: device.software ? 2e6 : 2e8,
    })),
  )
}

/** What is approximate has no reference: `mini-batch` has tests of its own. */
function exactVariants(engine: Engine) {
  return engine.variants().filter(({ exact }) => exact)
}

/** Opens a session that tells everything, and closes it after the work. */
export async function withSession<T>(
  { engine, device, variant, regime, workers }: Contender,
  points: Points,
  config: Partial<SessionConfig> & { readonly k: number },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const forced = {
    ...(regime !== undefined && { regime, otherwise: null }),
    ...(workers !== undefined && { workers }),
  }
  const session = await engine.open(points, sessionConfig(variant, { ...forced, ...config }), device.id)
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** The sentence of a variant or regime that a shape or a device does not suit; null for any other failure. */
export function refusalOf(error: unknown): string | null {
  return error instanceof LabError && error.code.endsWith('.refused') ? error.message : null
}
