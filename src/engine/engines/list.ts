import { variants as declared } from '@kernels/variants'
import { engineIds, type EngineReport } from '@shared/variant'
import { engines } from './index'
import type { Engine } from './engine'

/** What this machine can run: devices and variants of every engine, or why an engine cannot work. */
export function listEngines(): Promise<EngineReport[]> {
  return Promise.all(engineIds.map((id) => reportOn(engines[id])))
}

/** Exported for tests: `listEngines` of one engine. */
export async function reportOn(engine: Engine): Promise<EngineReport> {
  const availability = await engine.availability()
  const sharing = availability.available ? engine.sharing?.() : null
  return {
    id: engine.id,
    available: availability.available,
    reason: availability.available ? null : availability.reason,
    devices: availability.available ? await engine.devices() : [],
    ...(sharing && { sharing }),
    variants: offeredBy(engine),
  }
}

/** Variants that their own folder declares for this engine and that the engine has. */
function offeredBy(engine: Engine): EngineReport['variants'] {
  const present = new Set(engine.variants().map(({ id }) => id))
  return declared.flatMap(({ id, title, summary, from, engines: on }) => {
    const promise = on[engine.id]
    return promise !== undefined && present.has(id) ? [{ id, title, summary, from, ...promise }] : []
  })
}
