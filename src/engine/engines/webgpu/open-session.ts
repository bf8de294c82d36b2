import type { Points, Session, SessionConfig } from '../engine'
import type { GpuDevice } from './gpu-device'
import { compilePrograms } from './programs'
import { bindingLimit, createResources, planResources } from './resources'
import { WebgpuSession } from './session'
import { variantPasses } from './variants'

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
  const { variant, k } = config
  const workgroupBytes = gpu.device.limits.maxComputeWorkgroupStorageSize
  const passes = variantPasses(variant, { k, d: points.d, workgroupBytes })
  const plan = planResources(points, k, limitBytes, passes)
  const trackLabels = config.stop === 'labels' || config.trackChanged
  const programs = await compilePrograms(gpu, passes)
  const compiled = { variant, passes, programs }
  const resources = await createResources(gpu, points, plan, compiled, trackLabels)
  const session = new WebgpuSession(gpu, points, config, compiled, resources)
  await session.prepare()
  return session
}
