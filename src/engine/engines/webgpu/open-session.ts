import type { Points, Session, SessionConfig } from '../engine'
import { Executor } from './executor'
import type { GpuDevice } from './gpu-device'
import { Pace } from './pace'
import { compilePrograms } from './programs'
import { bindingLimit, createResources, planResources } from './resources'
import { WebgpuSession, wantedOf } from './session'
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
  const { n, d } = points
  const workgroupBytes = gpu.device.limits.maxComputeWorkgroupStorageSize
  const passes = variantPasses(variant, { k, d, workgroupBytes })
  const plan = planResources(points, k, limitBytes, passes)
  const want = wantedOf(config)
  const programs = await compilePrograms(gpu, passes)
  const resources = await createResources(gpu, points, plan, { variant, passes, programs }, want.changes)
  const runner = new Executor(gpu, resources, programs.rounds, { n, k, d }, want)
  await runner.prepare()
  const pace = new Pace(n, k, d, gpu.software, passes.pointsPerGroup)
  return new WebgpuSession(points, config, runner, {
    fused: passes.fused,
    pace,
    uploadMs: resources.uploadMs,
  })
}
