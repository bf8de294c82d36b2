import type { Points, Session, SessionConfig } from '../engine'
import { Dispatcher } from './dispatcher'
import { Executor } from './executor'
import type { GpuDevice } from './gpu-device'
import { HybridRunner } from './hybrid-runner'
import { openMemberSums } from './member-sums'
import { Membership } from './membership'
import { momentsOf } from './moments'
import { Pace } from './pace'
import { compilePrograms } from './programs'
import { bindingLimit, createResources, planResources } from './resources'
import type { Runner } from './runner'
import { WebgpuSession, wantedOf } from './session'
import { variantPasses } from './variants'
import type { VariantPasses } from './variants/variant-passes'

/**
 * A session on a device that it owns from now on.
 * @param limitBytes largest buffer and binding; data beyond it is split.
 * @param short there is too little memory for a second copy of the points.
 */
export async function openSession(
  gpu: GpuDevice,
  points: Points,
  config: SessionConfig,
  limitBytes = bindingLimit(gpu.device),
  short = false,
): Promise<Session> {
  const { variant, k } = config
  const { n, d } = points
  const { device, software, hasMatrices: matrices } = gpu
  const {
    maxComputeWorkgroupStorageSize: workgroupBytes,
    maxComputeWorkgroupSizeX: lanes,
    maxComputeInvocationsPerWorkgroup: invocations,
  } = device.limits
  const workgroupThreads = Math.min(lanes, invocations)
  const countsChanges = wantedOf(config).changes
  const limits = { workgroupBytes, workgroupThreads }
  const request = { n, k, d, ...limits, software, matrices, countsChanges, short }
  const passes = variantPasses(variant, request)
  return openPasses(gpu, points, config, passes, limitBytes)
}

/** A session that carries out iterations by the passes given. @throws LabError as `openSession`. */
export async function openPasses(
  gpu: GpuDevice,
  points: Points,
  config: SessionConfig,
  passes: VariantPasses,
  limitBytes = bindingLimit(gpu.device),
): Promise<Session> {
  const { variant, k } = config
  const { n, d } = points
  const plan = planResources(points, k, limitBytes, passes)
  const programs = await compilePrograms(gpu, passes)
  const compiled = { variant, passes, programs }
  const resources = await createResources(gpu, points, plan, compiled, wantedOf(config).changes)
  const on = new Dispatcher(gpu, resources, programs.rounds, { k, d })
  await on.warmUp()
  // What is done once with the points is work of every run, and counts as their upload; compilation does not.
  const began = performance.now()
  await on.prepare()
  const runner = await openRunner(on, points, config, passes)
  const moments = wantedOf(config).sums ? momentsOf(points) : null
  const uploadMs = resources.uploadMs + performance.now() - began
  const pace = new Pace(n, k, d, gpu.software, passes.pointsPerGroup)
  return new WebgpuSession(points, config, runner, { fused: passes.fused, pace, moments, uploadMs })
}

async function openRunner(
  on: Dispatcher,
  points: Points,
  config: SessionConfig,
  { hostUpdate }: VariantPasses,
): Promise<Runner> {
  const want = wantedOf(config)
  if (hostUpdate === undefined) return new Executor(on, points.n, want)
  const membership = await Membership.create(on.gpu, on.resources, points.n)
  return new HybridRunner(on, membership, openMemberSums(points, config.variant, hostUpdate), want)
}
