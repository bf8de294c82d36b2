import silhouetteSource from '@kernels/methods/silhouette/silhouette.wgsl?raw'
import { byCluster, type ByCluster } from '../../quality/labelled-points'
import type { GpuDevice } from './gpu-device'

/** Words of a point's sums, as silhouette.wgsl has them. */
const words = 8
const threads = 64
const summands = 8
const noCluster = 0xffffffff
/** A launch begins with so many pairs times vectors, and is twice as long as the last while that was quick. */
const firstWork = 2 ** 24
const launchMs = 50
/** Workgroups in one dimension of a dispatch. */
const maxGroups = 65_535

/** Points with their clusters, engine units. */
export interface SilhouetteInput {
  /** (n, d) */
  readonly x: Float32Array
  readonly d: number
  /** (n) 0..k-1, at least two different ones. */
  readonly labels: Int32Array
  readonly k: number
}

/** Bytes of the largest buffer. */
export function silhouetteBytes(n: number, d: number): number {
  return Math.max(16 * Math.ceil(d / 4) * n, 4 * words * n)
}

/**
 * Silhouettes over every pair on a WebGPU device (kernels/methods/silhouette), in launches of about 50 ms.
 * @param values (n), filled
 * @param onShare told after each launch @returns false when cancelled
 * @throws LabError `engine-lost`, `webgpu.out-of-memory`
 */
export async function silhouettesOnDevice(
  gpu: GpuDevice,
  input: SilhouetteInput,
  values: Float64Array,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const clustered = byCluster(input.labels, input.k)
  const work = await prepared(gpu, input, clustered)
  const n = input.labels.length
  const vectors = Math.ceil(input.d / 4)
  let rows = Math.max(summands, Math.floor(firstWork / (n * vectors)))
  for (let first = 0, cluster = 0; first < n;) {
    if (signal.aborted) return false
    const last = Math.min(n, first + rows)
    while (clustered.starts[cluster + 1] <= first) cluster++
    const began = performance.now()
    await launch(
      gpu,
      work,
      n,
      Uint32Array.of(first, last, cluster, Math.min(maxGroups, Math.ceil(n / threads))),
    )
    if (performance.now() - began < launchMs / 2) rows *= 2
    first = last
    onShare(first / n)
  }
  const sums = await readBack(gpu, work.sums, 4 * words * n)
  fill(values, sums, clustered, input.labels, work.scale)
  return true
}

interface Work {
  readonly pipeline: GPUComputePipeline
  readonly bindings: GPUBindGroup
  readonly stretch: GPUBuffer
  readonly sums: GPUBuffer
  readonly scale: number
}

async function prepared(gpu: GpuDevice, input: SilhouetteInput, clustered: ByCluster): Promise<Work> {
  const { labels, k, d } = input
  const n = labels.length
  const vectors = Math.ceil(d / 4)
  const scale = scaleOf(input)
  return gpu.checked('preparing the silhouettes', async () => {
    const { device } = gpu
    const module = device.createShaderModule({ code: silhouetteSource })
    const pipeline = await device.createComputePipelineAsync({
      layout: 'auto',
      compute: { module, entryPoint: 'add_pairs' },
    })
    const { UNIFORM, STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage
    const made = (usage: number, data: Float32Array | Uint32Array) => {
      const buffer = gpu.createBuffer({ size: data.byteLength, usage: usage | COPY_DST })
      device.queue.writeBuffer(buffer, 0, data as Float32Array<ArrayBuffer>)
      return buffer
    }
    const shape = new Uint32Array(4)
    shape.set([n, vectors, k])
    new Float32Array(shape.buffer)[3] = scale
    const stretch = made(UNIFORM, new Uint32Array(4))
    const sums = made(STORAGE | COPY_SRC, firstSums(labels, clustered))
    const buffers = [
      made(UNIFORM, shape),
      stretch,
      made(STORAGE, rowsOf(input, clustered, vectors)),
      made(STORAGE, clustered.starts),
      sums,
    ]
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }))
    const bindings = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries })
    await device.queue.onSubmittedWorkDone()
    return { pipeline, bindings, stretch, sums, scale }
  })
}

/** A power of two by which no sum of the distances that are added at a time reaches 2^31. */
function scaleOf({ x, d }: SilhouetteInput): number {
  const largest = new Float64Array(d)
  for (let at = 0, j = 0; at < x.length; at++) {
    largest[j] = Math.max(largest[j], Math.abs(x[at]))
    if (++j === d) j = 0
  }
  const diameter = 2 * Math.sqrt(largest.reduce((sum, value) => sum + value ** 2, 0))
  return diameter === 0 ? 1 : 2 ** Math.min(100, Math.floor(30 - Math.log2(summands * diameter)))
}

/** (n, vectors, 4) in the order of the clusters. */
function rowsOf({ x, d }: SilhouetteInput, { order }: ByCluster, vectors: number): Float32Array {
  const rows = new Float32Array(order.length * vectors * 4)
  for (const [place, point] of order.entries())
    rows.set(x.subarray(point * d, (point + 1) * d), place * vectors * 4)
  return rows
}

function firstSums(labels: Int32Array, { order }: ByCluster): Uint32Array {
  const sums = new Uint32Array(order.length * words)
  for (const [place, point] of order.entries()) {
    sums[place * words + 6] = noCluster
    sums[place * words + 7] = labels[point]
  }
  return sums
}

function launch(
  gpu: GpuDevice,
  work: Work,
  n: number,
  stretch: Uint32Array<ArrayBuffer>,
): Promise<undefined> {
  return gpu.checked('computing the silhouettes', () => {
    const { device } = gpu
    device.queue.writeBuffer(work.stretch, 0, stretch)
    const encoder = device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    pass.setPipeline(work.pipeline)
    pass.setBindGroup(0, work.bindings)
    const groups = Math.ceil(n / threads)
    pass.dispatchWorkgroups(stretch[3], Math.ceil(groups / stretch[3]))
    pass.end()
    device.queue.submit([encoder.finish()])
    return device.queue.onSubmittedWorkDone()
  })
}

function readBack(gpu: GpuDevice, from: GPUBuffer, size: number): Promise<Uint32Array> {
  return gpu.checked('reading the silhouettes', async () => {
    const { MAP_READ, COPY_DST } = GPUBufferUsage
    const to = gpu.createBuffer({ size, usage: MAP_READ | COPY_DST })
    const encoder = gpu.device.createCommandEncoder()
    encoder.copyBufferToBuffer(from, 0, to, 0, size)
    gpu.device.queue.submit([encoder.finish()])
    await to.mapAsync(GPUMapMode.READ)
    const read = new Uint32Array(to.getMappedRange().slice(0))
    to.unmap()
    return read
  })
}

function fill(
  values: Float64Array,
  sums: Uint32Array,
  { order, starts }: ByCluster,
  labels: Int32Array,
  scale: number,
): void {
  const sumAt = (at: number) => (sums[at + 1] * 2 ** 32 + sums[at]) / scale
  const sizeOf = (cluster: number) => starts[cluster + 1] - starts[cluster]
  for (const [place, point] of order.entries()) {
    const at = place * words
    const others = sizeOf(labels[point]) - 1
    const a = others === 0 ? 0 : sumAt(at + 2) / others
    const b = sumAt(at + 4) / sizeOf(sums[at + 6])
    const larger = Math.max(a, b)
    values[point] = others === 0 || larger === 0 ? 0 : (b - a) / larger
  }
}
