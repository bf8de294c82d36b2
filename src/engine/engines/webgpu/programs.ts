import taskSource from '@kernels/common/webgpu/task.wgsl?raw'
import meanSource from '@kernels/common/webgpu/mean.wgsl?raw'
import meansSource from '@kernels/common/webgpu/means.wgsl?raw'
import packedSource from '@kernels/common/webgpu/packed_labels.wgsl?raw'
import type { GpuDevice } from './gpu-device'
import {
  grid,
  type Constants,
  type Pass,
  type SharedBinding,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'

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
  /** Those of `assign` where the variant has no others. */
  readonly whole: readonly Step[]
  readonly wholeEnd: readonly Step[]
  readonly update: readonly Step[]
  readonly means: Step
  /** Packs labels for the way to the host. */
  readonly packing: Step
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

const readOnly: readonly SharedBinding[] = ['points', 'centroids', 'scales']
/** The means write centroids; other kernels only where they say so. */
const readOnlyInMeans: readonly SharedBinding[] = ['scales']
const meansThreads = 64
const packingThreads = 256

/** All that a compiled kernel depends on. */
interface ProgramRequest {
  readonly source: string
  readonly entryPoint: string
  readonly constants: Constants
  readonly bindings: readonly SharedBinding[]
  readonly unwritten: readonly SharedBinding[]
  /** Number of scratch buffers. */
  readonly scratch: number
}

/** What was compiled on a device that serves one session after another, oldest first. */
const programsOf = new WeakMap<GPUDevice, Map<string, Promise<Program>>>()
const maxPrograms = 64

/** Compiles everything a session needs, so that no compilation falls into a timed iteration. */
export function compilePrograms(gpu: GpuDevice, passes: VariantPasses): Promise<Programs> {
  const { device } = gpu
  return gpu.checked('compiling the kernels', async () => {
    const { files: own, assign, whole = assign, wholeEnd = [], update, prepare = [] } = passes
    const all = [...prepare, ...assign, ...whole, ...wholeEnd, ...update]
    const [means, packing, ...compiled] = await Promise.all([
      compileMeans(device),
      compilePacking(device),
      ...Object.entries(passes.kernels).map(
        async ([entryPoint, { files = own, bindings, constants = {}, writes = [] }]) => {
          const scratch = all.find(({ kernel }) => kernel === entryPoint)?.scratch?.length ?? 0
          const unwritten = readOnly.filter((name) => !writes.includes(name))
          const source = moduleOf(passes, files)
          const request = { source, entryPoint, constants, bindings, unwritten, scratch }
          return [entryPoint, await programOf(device, request)] as const
        },
      ),
    ])
    const programs: Readonly<Record<string, Program>> = Object.fromEntries(compiled)
    const steps = (list: readonly Pass[]) =>
      list.map((pass) => ({ scratch: [], step: 0, ...pass, ...programs[pass.kernel] }))
    return {
      prepare: steps(prepare),
      assign: steps(assign),
      whole: steps(whole),
      wholeEnd: steps(wholeEnd),
      update: steps(update),
      means,
      packing,
      rounds: 1 + Math.max(0, ...all.map(({ step = 0 }) => step)),
    }
  })
}

/** A module is whole files one after the other: directives, named constants, what every dispatch is told, and the files of the kernel. */
function moduleOf({ directives = '', named = {} }: VariantPasses, files: readonly string[]): string {
  const constants = Object.entries(named).map(([name, value]) => `const ${name} = ${value}u;`)
  return [directives, ...constants, taskSource, ...files].join('\n')
}

async function compileMeans(device: GPUDevice): Promise<Step> {
  const program = await programOf(device, {
    source: [meanSource, meansSource].join('\n'),
    entryPoint: 'means',
    constants: {},
    bindings: ['counts', 'sums', 'centroids', 'scales'],
    unwritten: readOnlyInMeans,
    scratch: 0,
  })
  const groups: Step['groups'] = ({ k, d }) => grid(Math.ceil((k * d) / meansThreads))
  return { ...program, scratch: [], step: 0, groups }
}

async function compilePacking(device: GPUDevice): Promise<Step> {
  const program = await programOf(device, {
    source: [taskSource, packedSource].join('\n'),
    entryPoint: 'pack_labels',
    constants: {},
    bindings: ['labels'],
    unwritten: [],
    scratch: 1,
  })
  const groups: Step['groups'] = ({ count, k }) =>
    grid(Math.ceil(count / (labelsPerWord(k) * packingThreads)))
  return { ...program, scratch: ['packed'], step: 0, groups }
}

/** Labels that `pack_labels` puts into one word, by the clusters in play. */
export function labelsPerWord(k: number): 1 | 2 | 4 {
  if (k <= 2 ** 8) return 4
  return k <= 2 ** 16 ? 2 : 1
}

/** Compiled now, or for an earlier session of the device. */
function programOf(device: GPUDevice, request: ProgramRequest): Promise<Program> {
  const known = programsOf.get(device) ?? new Map<string, Promise<Program>>()
  programsOf.set(device, known)
  const key = JSON.stringify(request)
  const program = known.get(key) ?? compile(device, request)
  // Once more at the end, as the youngest.
  known.delete(key)
  known.set(key, program)
  for (const oldest of known.keys()) {
    if (known.size <= maxPrograms) break
    known.delete(oldest)
  }
  return program
}

async function compile(
  device: GPUDevice,
  { source, entryPoint, constants, bindings, unwritten, scratch }: ProgramRequest,
): Promise<Program> {
  const layout = layoutOf(device, bindings, unwritten, scratch)
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ code: source }), entryPoint, constants },
  })
  return { pipeline, layout, bindings }
}

function layoutOf(
  device: GPUDevice,
  bindings: readonly SharedBinding[],
  unwritten: readonly SharedBinding[],
  scratch: number,
): GPUBindGroupLayout {
  const visibility = 4 // GPUShaderStage.COMPUTE
  const storage = (binding: number, type: GPUBufferBindingType) => ({ binding, visibility, buffer: { type } })
  return device.createBindGroupLayout({
    entries: [
      { binding: 0, visibility, buffer: { type: 'uniform', hasDynamicOffset: true } },
      ...bindings.map((name) =>
        storage(bindingNumbers[name], unwritten.includes(name) ? 'read-only-storage' : 'storage'),
      ),
      ...Array.from({ length: scratch }, (_, at) => storage(firstScratchBinding + at, 'storage')),
    ],
  })
}
