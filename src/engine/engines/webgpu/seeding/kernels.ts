import addUpSource from '@kernels/common/seeding/webgpu/add_up.wgsl?raw'
import blockSumsSource from '@kernels/common/seeding/webgpu/block_sums.wgsl?raw'
import float64Source from '@kernels/common/seeding/webgpu/float64.wgsl?raw'
import markSource from '@kernels/common/seeding/webgpu/mark.wgsl?raw'
import pickSource from '@kernels/common/seeding/webgpu/pick.wgsl?raw'
import runningSumsSource from '@kernels/common/seeding/webgpu/running_sums.wgsl?raw'
import seedingSource from '@kernels/common/seeding/webgpu/seeding.wgsl?raw'
import adoptSource from '@kernels/common/seeding/webgpu/adopt_candidate.wgsl?raw'
import transposeSource from '@kernels/common/seeding/webgpu/transpose.wgsl?raw'
import weighSource from '@kernels/common/seeding/webgpu/weigh.wgsl?raw'
import type { GpuDevice } from '../gpu-device'

/** Numbers in group 0, as seeding.wgsl has them. */
const bindingNumbers = {
  shape: 0,
  columns: 1,
  nearest: 2,
  table: 3,
  marks: 4,
  sums: 5,
  running: 6,
  round: 7,
  draws: 8,
  chosen: 9,
  winners: 10,
  members: 11,
} as const

export type BufferName = keyof typeof bindingNumbers

/** What each kernel reaches, and the points that a workgroup takes: 0 where workgroups are candidates. */
const kernels = {
  mark: { reaches: ['shape', 'columns', 'nearest', 'marks', 'round'], points: 1024 },
  weigh: { reaches: ['shape', 'columns', 'nearest', 'table', 'marks', 'round'], points: 1024 },
  add_candidates: { reaches: ['shape', 'nearest', 'table', 'marks', 'sums', 'round'], points: 1024 },
  pick: { reaches: ['shape', 'nearest', 'sums', 'running', 'round'], points: 0 },
  draw: { reaches: ['shape', 'nearest', 'sums', 'running', 'round', 'draws'], points: 0 },
  add_up: { reaches: ['shape', 'sums', 'running', 'round'], points: 0 },
  add_blocks: { reaches: ['shape', 'nearest', 'sums'], points: 1024 },
  adopt_candidate: {
    reaches: ['shape', 'nearest', 'table', 'marks', 'sums', 'running', 'round', 'chosen'],
    points: 1024,
  },
  lower: { reaches: ['shape', 'nearest', 'table', 'marks', 'winners'], points: 256 },
  forget: { reaches: ['shape', 'nearest'], points: 256 },
  count_members: { reaches: ['shape', 'winners', 'members'], points: 256 },
} as const satisfies Record<string, { readonly reaches: readonly BufferName[]; readonly points: number }>

export type KernelName = keyof typeof kernels

/** Of the device: what was compiled serves one seeding after another. */
export interface SeedingPrograms {
  readonly transpose: GPUComputePipeline
  readonly kernels: Readonly<Record<KernelName, GPUComputePipeline>>
}

const compiled = new WeakMap<GPUDevice, Promise<SeedingPrograms>>()

export function compileSeeding(gpu: GpuDevice): Promise<SeedingPrograms> {
  const known = compiled.get(gpu.device)
  if (known !== undefined) return known
  const programs = gpu.checked('compiling the kernels of the seeding', () => compile(gpu.device))
  compiled.set(gpu.device, programs)
  return programs
}

async function compile(device: GPUDevice): Promise<SeedingPrograms> {
  const common = [float64Source, seedingSource]
  const module = (...sources: string[]) => device.createShaderModule({ code: sources.join('\n') })
  const marking = module(...common, markSource)
  const weighing = module(...common, weighSource)
  const blocks = module(...common, blockSumsSource)
  const running = module(...common, runningSumsSource, addUpSource, pickSource)
  const adopting = module(...common, adoptSource)
  const moduleOf: Readonly<Record<KernelName, GPUShaderModule>> = {
    ...{ mark: marking, weigh: weighing, add_candidates: blocks, add_blocks: blocks },
    ...{ pick: running, draw: running, add_up: running },
    ...{ adopt_candidate: adopting, lower: adopting, forget: adopting, count_members: adopting },
  }
  const pipelineOf = (module: GPUShaderModule, entryPoint: string) =>
    device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint } })
  const names = Object.keys(kernels) as KernelName[]
  const pipelines = names.map(async (name) => [name, await pipelineOf(moduleOf[name], name)] as const)
  const [transpose, ...entries] = await Promise.all([
    pipelineOf(module(transposeSource), 'transpose'),
    ...pipelines,
  ])
  return { transpose, kernels: Object.fromEntries(entries) as SeedingPrograms['kernels'] }
}

/** The kernel's view of the buffers. */
export function bindKernel(
  device: GPUDevice,
  { kernels: pipelines }: SeedingPrograms,
  name: KernelName,
  buffers: Readonly<Record<BufferName, GPUBuffer>>,
): GPUBindGroup {
  const entries = kernels[name].reaches.map((buffer) => ({
    binding: bindingNumbers[buffer],
    resource: { buffer: buffers[buffer] },
  }))
  return device.createBindGroup({ layout: pipelines[name].getBindGroupLayout(0), entries })
}

/** Workgroups of a kernel over n points or some candidates. */
export function groupsFor(name: KernelName, n: number, candidates: number): number {
  const { points } = kernels[name]
  return points === 0 ? candidates : Math.ceil(n / points)
}
