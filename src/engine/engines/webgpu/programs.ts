import taskSource from '@kernels/common/task.wgsl?raw'
import meansSource from '@kernels/common/means.wgsl?raw'
import type { GpuDevice } from './gpu-device'
import {
  grid,
  type Constants,
  type Pass,
  type SharedBinding,
  type VariantPasses,
} from './variants/variant-passes'

/** A kernel as the device knows it. */
interface Program {
  readonly pipeline: GPUComputePipeline
  readonly layout: GPUBindGroupLayout
  readonly bindings: readonly SharedBinding[]
}

/** A pass of the variant, or the means, ready to be put on the queue. */
export interface Step extends Program, Omit<Pass, 'kernel'> {
  readonly scratch: readonly string[]
  readonly step: number
}

/** The compiled passes of a session. */
export interface Programs {
  readonly prepare: readonly Step[]
  readonly assign: readonly Step[]
  readonly update: readonly Step[]
  readonly means: Step
  /** Tasks that a range of points needs: one for each value of `step`. */
  readonly rounds: number
}

/** Numbers in group 0, as task.wgsl has them; the task itself is 0. */
export const bindingNumbers: Readonly<Record<SharedBinding, number>> = {
  points: 1,
  labels: 2,
  counts: 3,
  sums: 4,
  centroids: 5,
  scales: 6,
}
export const firstScratchBinding = 7

const readOnly: ReadonlySet<SharedBinding> = new Set(['points', 'centroids', 'scales'])
/** Only the means write centroids. */
const readOnlyInMeans: ReadonlySet<SharedBinding> = new Set(['scales'])
const meansThreads = 64

/** Compiles everything a session needs, so that no compilation falls into a timed iteration. */
export function compilePrograms(gpu: GpuDevice, passes: VariantPasses): Promise<Programs> {
  const { device } = gpu
  return gpu.checked('compiling the kernels', async () => {
    const module = device.createShaderModule({ code: `${taskSource}\n${passes.source}` })
    const all = [...(passes.prepare ?? []), ...passes.assign, ...passes.update]
    const [means, ...compiled] = await Promise.all([
      compileMeans(device),
      ...Object.entries(passes.kernels).map(async ([entryPoint, { bindings, constants = {} }]) => {
        const scratch = all.find(({ kernel }) => kernel === entryPoint)?.scratch?.length ?? 0
        const layout = layoutOf(device, bindings, readOnly, scratch)
        const pipeline = await pipelineOf(device, layout, module, entryPoint, constants)
        return [entryPoint, { pipeline, layout, bindings }] as const
      }),
    ])
    const programs: Readonly<Record<string, Program>> = Object.fromEntries(compiled)
    const steps = (list: readonly Pass[]) =>
      list.map((pass) => ({ scratch: [], step: 0, ...pass, ...programs[pass.kernel] }))
    return {
      prepare: steps(passes.prepare ?? []),
      assign: steps(passes.assign),
      update: steps(passes.update),
      means,
      rounds: 1 + Math.max(0, ...all.map(({ step = 0 }) => step)),
    }
  })
}

async function compileMeans(device: GPUDevice): Promise<Step> {
  const bindings: SharedBinding[] = ['counts', 'sums', 'centroids', 'scales']
  const layout = layoutOf(device, bindings, readOnlyInMeans, 0)
  const module = device.createShaderModule({ code: meansSource })
  const pipeline = await pipelineOf(device, layout, module, 'means', {})
  const groups: Step['groups'] = ({ k, d }) => grid(Math.ceil((k * d) / meansThreads))
  return { pipeline, layout, bindings, scratch: [], step: 0, groups }
}

function pipelineOf(
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

function layoutOf(
  device: GPUDevice,
  bindings: readonly SharedBinding[],
  unwritten: ReadonlySet<SharedBinding>,
  scratch: number,
): GPUBindGroupLayout {
  const visibility = 4 // GPUShaderStage.COMPUTE
  const storage = (binding: number, type: GPUBufferBindingType) => ({ binding, visibility, buffer: { type } })
  return device.createBindGroupLayout({
    entries: [
      { binding: 0, visibility, buffer: { type: 'uniform', hasDynamicOffset: true } },
      ...bindings.map((name) =>
        storage(bindingNumbers[name], unwritten.has(name) ? 'read-only-storage' : 'storage'),
      ),
      ...Array.from({ length: scratch }, (_, at) => storage(firstScratchBinding + at, 'storage')),
    ],
  })
}
