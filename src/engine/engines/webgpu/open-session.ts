import { LabError } from '@shared/errors'
import type { WebgpuFacts } from '@shared/plan'
import { defaultWorkers } from '@shared/workers'
import type { VariantPasses } from '@kernels/common/webgpu/passes'
import { regimePasses, webgpuRegime, webgpuVariants } from '@kernels/variants/webgpu'
import type { WebgpuQuestion, WebgpuRegime } from '@kernels/common/webgpu/variant'
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

/** What a session asks of a plan on a device that the facts describe. */
export function questionFor(points: Points, config: SessionConfig, device: WebgpuFacts): WebgpuQuestion {
  const { n, d } = points
  const countsChanges = wantedOf(config).changes
  const workers = config.workers ?? defaultWorkers
  return { shape: { n, d, k: config.k }, device, hints: { countsChanges, workers } }
}

/** @throws LabError for a variant without WebGPU kernels, or without this regime. */
export function regimeOf(variant: SessionConfig['variant'], name: string): WebgpuRegime {
  const regime = webgpuRegime(variant, name)
  if (regime !== null) return regime
  if (Object.hasOwn(webgpuVariants, variant)) {
    const offered = Object.keys(webgpuVariants[variant].regimes).join(', ')
    const message = `The variant '${variant}' has no regime '${name}' on WebGPU; choose one of ${offered}.`
    throw new LabError('input', 'webgpu.no-regime', message)
  }
  const offered = Object.keys(webgpuVariants).join(', ')
  const message = `There is no WebGPU kernel for the variant '${variant}'; choose one of ${offered}.`
  throw new LabError('input', 'webgpu.no-variant', message)
}

/**
 * A session by a regime, on a device that it owns from now on.
 * @param limitBytes largest buffer and binding; data beyond it is split.
 */
export async function openRegime(
  gpu: GpuDevice,
  points: Points,
  config: SessionConfig,
  regime: string,
  facts: WebgpuFacts,
  limitBytes = bindingLimit(gpu.device),
): Promise<Session> {
  const { variant } = config
  const question = questionFor(points, config, facts)
  const passes = regimePasses(variant, regimeOf(variant, regime), question)
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
  const pace = new Pace(n, k, d, gpu.software, passes.pointsPerGroup, passes.minMs)
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
