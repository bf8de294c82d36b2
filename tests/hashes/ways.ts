import { engines } from '@engine/engines'
import { variants } from '@kernels/variants'
import type { Engine } from '@engine/engines/engine'
import type { Device, EngineId } from '@shared/variant'
import type { Way } from './engine-run'

const threadCounts = [1, 2, 3, 8]
const isas = ['avx512', 'avx2', 'baseline']

/** Every way a case can be carried out on an engine, or why there is none. */
export interface EngineWays {
  readonly ways: readonly Way[]
  readonly missing: string | null
}

/** On the processor threads and instruction sets, everywhere the plan's regime and each by name. */
export async function waysOf(id: EngineId, software: boolean): Promise<EngineWays> {
  const engine = engines[id]
  const availability = await engine.availability()
  if (!availability.available) return { ways: [], missing: availability.reason }
  const devices = (await engine.devices()).filter((device) => device.software === software)
  if (devices.length === 0)
    return { ways: [], missing: `${id} has no ${software ? 'software' : 'real'} device here.` }
  return { ways: devices.flatMap((device) => waysOn(engine, device)), missing: null }
}

function waysOn(engine: Engine, device: Device): Way[] {
  const table = variants.find(({ id }) => id === 'fused')?.regimes?.[engine.id] ?? []
  const plan = { name: device.id, engine, device }
  const regimes = table.map(({ name }) => ({ ...plan, name: `${device.id}, ${name}`, regime: name }))
  if (engine.id !== 'cpu') return [plan, ...regimes]
  const threads = threadCounts.map((count) => ({ ...plan, name: `cpu, ${count} threads`, threads: count }))
  const forced = isas.flatMap((isa) =>
    [plan, ...regimes].map((way) => ({ ...way, name: `${way.name}, ${isa}`, isa, threads: 2 })),
  )
  return [...threads, ...forced]
}
