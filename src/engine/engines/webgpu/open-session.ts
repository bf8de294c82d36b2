import type { Points, Session, SessionConfig } from '../engine'
import type { GpuDevice } from './gpu-device'
import { compilePrograms } from './programs'
import { bindingLimit, createResources, planResources } from './resources'
import { WebgpuSession } from './session'

/**
 * A session on a device that it owns from now on.
 * @param limitBytes largest buffer and binding; data beyond it is split.
 */
export async function openSession(
  gpu: GpuDevice,
  points: Points,
  config: SessionConfig,
  limitBytes = bindingLimit(gpu.device),
): Promise<Session> {
  const plan = planResources(points, config.k, limitBytes)
  const trackLabels = config.stop === 'labels' || config.trackChanged
  const programs = await compilePrograms(gpu, { variant: config.variant, k: config.k, d: points.d })
  const resources = await createResources(gpu, points, plan, programs, trackLabels)
  const session = new WebgpuSession(gpu, points, config, programs, resources)
  await session.warmUp()
  return session
}
