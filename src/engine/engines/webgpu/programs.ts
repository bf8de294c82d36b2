import taskSource from '@kernels/common/task.wgsl?raw'
import meansSource from '@kernels/common/means.wgsl?raw'
import fusedSource from '@kernels/variants/fused/fused.wgsl?raw'
import globalAtomicsSource from '@kernels/variants/global-atomics/global-atomics.wgsl?raw'
import { LabError } from '@shared/errors'
import type { VariantId } from '@shared/variant'
import type { GpuDevice } from './gpu-device'

/** The compiled kernels of a session. */
export interface Programs {
  readonly assignLayout: GPUBindGroupLayout
  readonly meansLayout: GPUBindGroupLayout
  /** Assignment; the flags of a task say what it does besides. */
  readonly assign: GPUComputePipeline
  readonly means: GPUComputePipeline
  /** Workgroups of an assignment over `count` points. */
  groups(count: number): readonly [number, number]
  readonly pointsPerGroup: number
  /** Assignment and sums are one kernel that cannot be parted. */
  readonly fused: boolean
}

type Constants = Record<string, number>

/** What a variant says about its kernel: entry point, constants, and points per workgroup. */
interface Kernel {
  readonly source: string
  readonly entryPoint: string
  readonly constants: Constants
  readonly pointsPerGroup: number
  /** Workgroups beyond this number take several blocks each. */
  readonly mostGroups: number
  readonly fused: boolean
}

const mostGroupsPerDimension = 65535
/** Of the low-dimensional fused kernel, which loops: enough to fill large cards, few enough to flush little. */
const persistentGroups = 528

export interface ProgramRequest {
  readonly variant: VariantId
  readonly k: number
  readonly d: number
}

/** Compiles everything a session needs, so that no compilation falls into a timed iteration. */
export async function compilePrograms(gpu: GpuDevice, request: ProgramRequest): Promise<Programs> {
  const { device } = gpu
  const kernel = kernelOf(request, device.limits.maxComputeWorkgroupStorageSize)
  return gpu.checked('compiling the kernels', async () => {
    const assignLayout = layoutOf(device, [1, 5, 6], [2, 3, 4])
    const meansLayout = layoutOf(device, [6], [3, 4, 5])
    const module = device.createShaderModule({ code: `${taskSource}\n${kernel.source}` })
    const [assign, means] = await Promise.all([
      pipeline(device, assignLayout, module, kernel.entryPoint, kernel.constants),
      pipeline(device, meansLayout, device.createShaderModule({ code: meansSource }), 'means', {}),
    ])
    const groups = (count: number) =>
      grid(Math.min(Math.ceil(count / kernel.pointsPerGroup), kernel.mostGroups))
    return {
      assignLayout,
      meansLayout,
      assign,
      means,
      groups,
      pointsPerGroup: kernel.pointsPerGroup,
      fused: kernel.fused,
    }
  })
}

/** Workgroups in two dimensions, as one dimension holds 65 535; kernels look past the end. */
export function grid(groups: number): readonly [number, number] {
  if (groups <= mostGroupsPerDimension) return [groups, 1]
  const rows = Math.ceil(groups / mostGroupsPerDimension)
  return [Math.ceil(groups / rows), rows]
}

function kernelOf({ variant, k, d }: ProgramRequest, workgroupBytes: number): Kernel {
  const endless = Number.MAX_SAFE_INTEGER
  if (variant === 'global-atomics') {
    const shape = { pointsPerGroup: 256, mostGroups: endless, fused: false }
    return { source: globalAtomicsSource, entryPoint: 'assign', constants: {}, ...shape }
  }
  if (variant !== 'fused') {
    const message = `There is no WebGPU kernel for the variant '${variant}'; choose fused or global-atomics.`
    throw new LabError('input', 'webgpu.no-variant', message)
  }
  if (d > 8) {
    const shape = { pointsPerGroup: 64, mostGroups: endless, fused: true }
    return { source: fusedSource, entryPoint: 'high', constants: { features: d }, ...shape }
  }
  const shape = { pointsPerGroup: 1024, mostGroups: persistentGroups, fused: true }
  return { source: fusedSource, entryPoint: 'low', constants: lowConstants(k, d, workgroupBytes), ...shape }
}

/** Shares workgroup memory between staged centroids and the workgroup's own sums, when these fit. */
export function lowConstants(k: number, d: number, workgroupBytes: number): Constants {
  const budget = workgroupBytes - 64
  const rowVectors = d <= 4 ? 1 : 2
  const rowBytes = 16 * rowVectors
  const sumsBytes = 4 * k * (2 * d + 1)
  const localSums = sumsBytes + rowBytes * Math.min(k, 64) <= budget
  const forRows = budget - (localSums ? sumsBytes : 4 * (2 * d + 1))
  const tileRows = Math.min(k, Math.floor(forRows / rowBytes))
  let replicas = 1
  const forReplicas = Math.min(12 * 1024, budget - rowBytes * tileRows)
  while (localSums && replicas < 32 && 2 * replicas * sumsBytes <= forReplicas) replicas *= 2
  return {
    features: d,
    tile_rows: tileRows,
    row_vectors: rowVectors,
    local_sums: localSums ? 1 : 0,
    local_k: localSums ? k : 1,
    replicas,
  }
}

function pipeline(
  device: GPUDevice,
  layout: GPUBindGroupLayout,
  module: GPUShaderModule,
  entryPoint: string,
  constants: Constants,
): Promise<GPUComputePipeline> {
  return device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint, constants },
  })
}

function layoutOf(device: GPUDevice, readOnly: readonly number[], writable: readonly number[]) {
  const visibility = 4 // GPUShaderStage.COMPUTE
  const storage = (binding: number, type: GPUBufferBindingType) => ({ binding, visibility, buffer: { type } })
  return device.createBindGroupLayout({
    entries: [
      { binding: 0, visibility, buffer: { type: 'uniform', hasDynamicOffset: true } },
      ...readOnly.map((binding) => storage(binding, 'read-only-storage')),
      ...writable.map((binding) => storage(binding, 'storage')),
    ],
  })
}
