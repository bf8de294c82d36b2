import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import { LabError } from '@shared/errors'
import type { WebgpuFacts } from '@shared/plan'
import type { AnyPoints, Points, Session, SessionConfig } from '../engine'
import { float32Points } from '../float32-points'
import { adapterOf, type FoundAdapter } from './adapters'
import { leaseDevice, leaseMatrixDevice } from './device-pool'
import { factsOf } from './facts'
import type { GpuDevice } from './gpu-device'
import { openPlanned } from './open-planned'
import { openRegime, questionFor, regimeOf } from './open-session'
import { plannedFor } from './planned-for'

/** As `Engine.open` has it. */
export async function openOnDevice(
  points: AnyPoints,
  config: SessionConfig,
  deviceId: string | null,
): Promise<Session> {
  const held = float32Points(points, 'webgpu', config.variant)
  const found = await adapterOf(deviceId)
  const facts = await factsOf(found)
  return openPlanned(plannedFor(config, questionFor(held, config, facts)), {
    open: (regime) => openOn(found, facts, held, config, regime),
    needsUnits: (regime) => regimeOf(config.variant, regime).matrixUnits === true,
  })
}

/** A session by a regime, on the device that it asks for. */
async function openOn(
  found: FoundAdapter,
  facts: WebgpuFacts,
  points: Points,
  config: SessionConfig,
  regime: string,
): Promise<Session> {
  const gpu = await leaseFor(found, regimeOf(config.variant, regime))
  try {
    return await openRegime(gpu, points, config, regime, facts)
  } catch (error) {
    gpu.destroy()
    throw error
  }
}

/** @throws LabError `engine-lost`. */
async function leaseFor(found: FoundAdapter, { matrixUnits }: WebgpuRegime): Promise<GpuDevice> {
  if (matrixUnits !== true) return leaseDevice(found)
  const gpu = await leaseMatrixDevice(found)
  if (gpu !== null) return gpu
  const message = `The device '${found.device.name}' has no matrix units that WebGPU can use; choose another regime.`
  throw new LabError('engine-lost', 'webgpu.no-matrix-units', message)
}
