import type { VariantId } from '@shared/variant'
import type { Points } from '../engine'
import { bindStep, bindSteps, type BoundStep, type BoundSteps, type StepBuffers } from './bindings'
import { fixedPointScales } from './fixed-point'
import type { GpuDevice } from './gpu-device'
import { sharedBuffer } from './held-points'
import type { Programs, Step } from './programs'
import { createScratch, type NamedBuffers } from './scratch'
import { planParts, planRing, type PartSize, type RingSize } from './sizes'
import { taskStride } from './task-list'
import type { VariantPasses } from '@kernels/common/webgpu/passes'

/** A part of the points on the device, with the passes over it. */
export interface Part extends PartSize {
  readonly buffers: StepBuffers
  /** (count) label + 1, then as many places where points in doubt are listed; a stand-in of 16 bytes when labels are not kept. */
  readonly labels: GPUBuffer
  readonly steps: BoundSteps
}

/** What all parts share. */
interface Rings {
  readonly scales: Float32Array
  readonly tasks: GPUBuffer
  readonly counts: GPUBuffer
  readonly sums: GPUBuffer
  readonly centroids: GPUBuffer
  readonly scaleBuffer: GPUBuffer
  /** For the way back of every ring, by turns: one is mapped while the next submit writes the other. */
  readonly staging: readonly [GPUBuffer, GPUBuffer]
}

export interface Resources extends Rings {
  readonly ring: RingSize
  readonly parts: readonly Part[]
  readonly means: BoundStep
  /** Bound by those who have labels for it. */
  readonly packing: Step
  /** All slots of a submit but the last have their means made by the assignment of the next one. */
  readonly makesMeans: boolean
  /** Zero when a run starts. */
  readonly zeroAtStart: readonly GPUBuffer[]
  /** Pieces are whole parts. */
  readonly wholeParts: boolean
  readonly uploadMs: number
}

/** What a session runs: the variant, its passes as declared and as compiled. */
export interface Compiled {
  readonly variant: VariantId
  readonly passes: VariantPasses
  readonly programs: Programs
}

/** Room for the time stamps of a submit, at the end of the staging buffer. */
export const stampBytes = 32

const uploadBytes = 64 * 2 ** 20

/** The most that one buffer may hold and one binding may show. */
export function bindingLimit({ limits }: GPUDevice): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
}

/** How the points and the rings are laid out; what cannot fit is refused here, before anything is allocated. */
export interface Plan {
  readonly ring: RingSize
  readonly parts: readonly PartSize[]
}

/** Labels with room for points in doubt behind them. */
export const listedLabels = { bytes: (points: number) => 8 * points }

export function planResources(
  { n, d }: Points,
  k: number,
  limitBytes: number,
  {
    scratch = {},
    pointsPerPart,
    listsDoubts,
  }: Pick<VariantPasses, 'scratch' | 'pointsPerPart' | 'listsDoubts'>,
): Plan {
  const ofPoints = [...Object.values(scratch), ...(listsDoubts === true ? [listedLabels] : [])]
  return {
    ring: planRing(n, k, d, limitBytes),
    parts: planParts({ n, d }, limitBytes, ofPoints, pointsPerPart),
  }
}

/** Allocates, uploads the points and waits until they are there. */
export async function createResources(
  gpu: GpuDevice,
  points: Points,
  plan: Plan,
  { variant, passes, programs }: Compiled,
  trackLabels: boolean,
): Promise<Resources> {
  const began = performance.now()
  const scratch = await createScratch(gpu, variant, passes, plan.parts)
  const needsLabels = passes.update.length > 0 || passes.hostUpdate !== undefined
  const lists = passes.listsDoubts === true
  const keepLabels = trackLabels || needsLabels || lists
  return gpu.checked('uploading the points', async () => {
    const rings = createRings(gpu, points, plan, programs.rounds)
    const parts = plan.parts.map((part, at) => {
      const labels = keepLabels ? part.count * (lists ? 2 : 1) : 4
      const buffers = createPartBuffers(gpu, points, part, labels, rings, scratch[at])
      return { ...part, ...buffers, steps: bindSteps(gpu.device, programs, buffers.buffers) }
    })
    await gpu.device.queue.onSubmittedWorkDone()
    const means = bindStep(gpu.device, programs.means, stepBuffers(rings, {}, {}))
    const makesMeans = passes.makesMeans === true
    const zeroed = Object.entries(passes.scratch ?? {}).filter(([, entry]) => entry.zeroAtStart === true)
    const { packing } = programs
    return {
      ...rings,
      ring: plan.ring,
      parts,
      means,
      packing,
      makesMeans,
      zeroAtStart: zeroed.flatMap(([name]) => scratch.map((buffers) => buffers[name])),
      wholeParts: passes.pointsPerPart !== undefined,
      uploadMs: performance.now() - began,
    }
  })
}

function createRings(gpu: GpuDevice, { n, maxAbs }: Points, { ring, parts }: Plan, rounds: number): Rings {
  const scales = fixedPointScales(maxAbs, n)
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST
  const words = (count: number) => gpu.createBuffer({ size: 4 * count, usage })
  const scaleBuffer = words(scales.length)
  gpu.device.queue.writeBuffer(scaleBuffer, 0, scales as Float32Array<ArrayBuffer>)
  const slotWords = ring.countsStride + ring.sumsStride + ring.centroidsStride
  return {
    scales,
    scaleBuffer,
    tasks: gpu.createBuffer({
      size: taskStride * ring.slots * (parts.length * rounds + 1),
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    }),
    counts: words(ring.slots * ring.countsStride),
    sums: words(ring.slots * ring.sumsStride),
    centroids: words((ring.slots + 1) * ring.centroidsStride),
    staging: [stagingFor(gpu, ring.slots * slotWords), stagingFor(gpu, ring.slots * slotWords)],
  }
}

function stagingFor(gpu: GpuDevice, words: number): GPUBuffer {
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
  return gpu.createBuffer({ size: 8 * Math.ceil((4 * words) / 8) + stampBytes, usage })
}

function createPartBuffers(
  gpu: GpuDevice,
  points: Points,
  part: PartSize,
  labelWords: number,
  rings: Rings,
  scratch: NamedBuffers,
): Pick<Part, 'labels' | 'buffers'> {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST
  const labels = gpu.createBuffer({ size: 4 * labelWords, usage: usage | GPUBufferUsage.COPY_SRC })
  return { labels, buffers: stepBuffers(rings, { points: pointBuffer(gpu, points, part), labels }, scratch) }
}

/** The points of a part on the device, sent there unless they are held there. */
function pointBuffer(gpu: GpuDevice, { x, n, d }: Points, { first, count }: PartSize): GPUBuffer {
  // Whole vectors of four, as some kernels read them.
  const size = 16 * Math.ceil((count * d) / 4)
  const descriptor = { size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST }
  const shared = count === n ? sharedBuffer(gpu, x, 'rows', descriptor) : null
  if (shared?.isFilled === true) return shared.buffer
  const points = shared?.buffer ?? gpu.createBuffer(descriptor)
  const values = x.subarray(first * d, (first + count) * d) as Float32Array<ArrayBuffer>
  const step = uploadBytes / 4
  for (let at = 0; at < values.length; at += step) {
    gpu.device.queue.writeBuffer(points, 4 * at, values, at, Math.min(step, values.length - at))
  }
  if (shared !== null) shared.isFilled = true
  return points
}

function stepBuffers(
  { tasks, counts, sums, centroids, scaleBuffer }: Rings,
  own: StepBuffers['shared'],
  scratch: NamedBuffers,
): StepBuffers {
  return { tasks, shared: { counts, sums, centroids, scales: scaleBuffer, ...own }, scratch }
}
