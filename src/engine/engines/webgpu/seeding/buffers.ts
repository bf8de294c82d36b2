import { LabError } from '@shared/errors'
import type { GpuDevice } from '../gpu-device'
import { bindingLimit } from '../resources'
import { grid } from '@kernels/common/webgpu/passes'
import type { BufferName, SeedingPrograms } from './kernels'

export const blockPoints = 1024
/** Bytes of Round in seeding.wgsl, and where its fields stand. */
export const roundLayout = { done: 0, rows: 4, targets: 72, potentials: 200, bytes: 328 } as const
const shapeBytes = 32
/** 256 MB are on an H200 in 39 ms; in pieces of 4 to 64 MiB they took 90 to 110. */
const pieceBytes = 2 ** 20
/** About 10 ms of nothing else for the process: 256 MB without a wait were 84. */
const piecesPerWait = 32

export type SeedingBuffers = Readonly<Record<BufferName, GPUBuffer>>

/** What a seeding works on. `candidates`: the most of one round. */
export interface SeedingSize {
  readonly n: number
  readonly d: number
  readonly candidates: number
}

/** Bytes of the buffers that grow with the points. */
export function bytesOf({ n, d, candidates }: SeedingSize) {
  const sums = 8 * (1 + candidates) * Math.ceil(n / blockPoints)
  return {
    ...{ columns: 4 * n * d, nearest: 8 * n, table: 8 * n * candidates, marks: 4 * n, winners: 4 * n },
    ...{ sums, running: sums },
  }
}

/** @throws LabError `webgpu.too-large` before anything is reserved. */
export function requireFit(device: GPUDevice, size: SeedingSize): void {
  const largest = Math.max(...Object.values(bytesOf(size)))
  const limit = bindingLimit(device)
  if (largest <= limit && size.n * size.d < 2 ** 32) return
  const message = `The seeding would need ${largest} bytes of the ${limit} that one buffer of this WebGPU device may have.`
  throw new LabError('input', 'webgpu.too-large', message)
}

/** Reserves everything; D2 is not set. @throws LabError `input` where there is not enough memory. */
export function reserveSeeding(gpu: GpuDevice, size: SeedingSize): Promise<SeedingBuffers> {
  return gpu.checked('reserving the memory of the seeding', () => {
    const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage
    const reserve = (bytes: number) => gpu.createBuffer({ size: bytes, usage: STORAGE | COPY_SRC | COPY_DST })
    const large = bytesOf(size)
    return {
      shape: gpu.createBuffer({ size: shapeBytes, usage: UNIFORM | COPY_DST }),
      columns: reserve(large.columns),
      nearest: reserve(large.nearest),
      table: reserve(large.table),
      marks: reserve(large.marks),
      winners: reserve(large.winners),
      sums: reserve(large.sums),
      running: reserve(large.running),
      round: reserve(roundLayout.bytes),
      // Of the calls that need them; these are stand-ins.
      draws: reserve(8),
      chosen: reserve(4),
      members: reserve(4),
    }
  })
}

/**
 * Sends the points (n, d), some rows at a time, and lays them out in columns. After some pieces it waits for the device: there the
 * process does what else it has to do, and their failures show. @param atOnce bytes of a piece, about.
 */
export async function uploadColumns(
  gpu: GpuDevice,
  { transpose }: SeedingPrograms,
  { columns }: Pick<SeedingBuffers, 'columns'>,
  x: Float32Array,
  size: SeedingSize,
  atOnce = pieceBytes,
): Promise<void> {
  const { n, d } = size
  const activity = 'uploading the points of the seeding'
  const most = Math.min(n, Math.max(1, Math.floor(atOnce / (4 * d))))
  const way = await gpu.checked(activity, () => wayToColumns(gpu.device, transpose, columns, 4 * most * d))
  for (let group = 0; group < n; group += most * piecesPerWait) {
    await gpu.checked(activity, () => {
      const end = Math.min(n, group + most * piecesPerWait)
      for (let first = group; first < end; first += most)
        sendRows(gpu.device, way, x, size, first, Math.min(most, end - first))
      return gpu.device.queue.onSubmittedWorkDone()
    })
  }
  way.rows.destroy()
  way.piece.destroy()
}

/** What a piece passes through. */
interface WayToColumns {
  readonly transpose: GPUComputePipeline
  readonly piece: GPUBuffer
  readonly rows: GPUBuffer
  readonly bindings: GPUBindGroup
}

function wayToColumns(
  device: GPUDevice,
  transpose: GPUComputePipeline,
  columns: GPUBuffer,
  rowBytes: number,
): WayToColumns {
  const { STORAGE, UNIFORM, COPY_DST } = GPUBufferUsage
  const piece = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST })
  const rows = device.createBuffer({ size: rowBytes, usage: STORAGE | COPY_DST })
  const entries = [piece, rows, columns].map((buffer, binding) => ({ binding, resource: { buffer } }))
  const bindings = device.createBindGroup({ layout: transpose.getBindGroupLayout(0), entries })
  return { transpose, piece, rows, bindings }
}

function sendRows(
  device: GPUDevice,
  { transpose, piece, rows, bindings }: WayToColumns,
  x: Float32Array,
  { n, d }: SeedingSize,
  first: number,
  count: number,
): void {
  device.queue.writeBuffer(piece, 0, Uint32Array.of(n, d, first, count))
  device.queue.writeBuffer(rows, 0, x as Float32Array<ArrayBuffer>, first * d, count * d)
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(transpose)
  pass.setBindGroup(0, bindings)
  pass.dispatchWorkgroups(...grid(Math.ceil((count * d) / 256)))
  pass.end()
  device.queue.submit([encoder.finish()])
}
