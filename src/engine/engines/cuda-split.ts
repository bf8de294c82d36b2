import { variants } from '@kernels/variants'
import { LabError } from '@shared/errors'
import type { CpuFacts } from '@shared/plan'
import { regimeChain } from '@shared/regimes'
import type { RunShape } from '@shared/variant'
import { carriedOut, cudaQuestion, cudaRegimes, planOf } from './cuda-plan'
import { deviceSums } from './device-sums'
import type { Points, SessionConfig } from './engine'
import type { AddonRequest } from './native-addon/session'
import { loadCpuAddon, type CudaAddon } from './native'

/** The variant whose sums are whole numbers, so that parts of the rows add up to the same whatever they are. */
export const sharedVariant = 'fused'

/** Numbers of devices below 0 stand for the processor. */
export function firstOf(indices: readonly number[]): number {
  return indices.find((index) => index >= 0) ?? 0
}

/** What a device has of the rows, about. */
export function partOf({ n, d, k }: RunShape, parts: number): RunShape {
  return { n: Math.ceil(n / parts), d, k }
}

/**
 * Rows shared by several devices, each of which carries out the same regime; the processor has one of its own.
 * @throws LabError `input` for another variant, in one sentence
 */
export async function splitRequest(
  addon: CudaAddon,
  points: Points,
  config: SessionConfig,
  indices: readonly number[],
): Promise<AddonRequest> {
  if (config.variant !== sharedVariant) {
    const message = `Several devices share the rows of ${sharedVariant} alone: choose it, or one device for ${config.variant}.`
    throw new LabError('input', 'cuda.split', message)
  }
  const { n, d } = points
  const shape = { n, d, k: config.k }
  const table = cudaRegimes(config.variant) ?? []
  const asked = cudaQuestion(addon, config, partOf(shape, indices.length), firstOf(indices))
  const question = { ...asked, shape, hints: { ...asked.hints, split: indices.length } }
  const carried = carriedOut(table, question, config)
  const [processorRegime = '', processorOtherwise = ''] = processorRegimes(partOf(shape, indices.length))
  const cards = indices.filter((index) => index >= 0).length
  const byHost = cards < indices.length || question.hints.streamed === true
  const exchange = deviceSums(addon.ncclVersion?.() ?? '', byHost)
  // Centroids to each, whole numbers from each.
  const crossing = byHost ? cards * config.k * (12 * d + 4) : 0
  return {
    points,
    config,
    deviceIndex: firstOf(indices),
    deviceIndices: indices,
    carriedOut: { ...carried, processorRegime, processorOtherwise, exchange },
    planOf: (built) => {
      const plan = planOf(table, question, built, carried)
      return { ...plan, sharing: { devices: indices.length, exchange: built.exchange ?? '' } }
    },
    hostDeviceBytesPerIteration: crossing,
    warnings: [],
  }
}

/** What the processor carries its part out by. */
function processorRegimes(shape: RunShape): readonly string[] {
  const table = variants.find(({ id }) => id === sharedVariant)?.regimes?.cpu ?? []
  const { threads = 1, isa = 'baseline' } = loadCpuAddon().addon?.versions() ?? {}
  const device: CpuFacts = { engine: 'cpu', name: 'CPU', threads, isa }
  return regimeChain(table, { shape, device, hints: {} })
}
