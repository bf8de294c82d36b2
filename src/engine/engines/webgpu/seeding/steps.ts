import type { GpuDevice } from '../gpu-device'
import { grid } from '@kernels/common/webgpu/passes'
import { blockPoints, type SeedingBuffers, type SeedingSize } from './buffers'
import { bindKernel, groupsFor, type KernelName, type SeedingPrograms } from './kernels'

/** What the kernels of a submit are told; see Shape in seeding.wgsl. */
export interface StepParameters {
  readonly candidates: number
  /** Row of the sums that the first candidate fills. */
  readonly slot?: 0 | 1
  readonly position?: number
}

/**
 * Puts kernels on the queue and brings answers back. Each call has error scopes of its own, as those around a longer piece of work close
 * before its first wait; nobody waits for them one by one, but no answer is given before all of them are in.
 */
export class SeedingSteps {
  readonly #gpu: GpuDevice
  readonly #programs: SeedingPrograms
  readonly #size: SeedingSize
  readonly #bindings = new WeakMap<SeedingBuffers, Map<KernelName, GPUBindGroup>>()
  /** Ends when everything so far is known to be in order. */
  #checks: Promise<unknown> = Promise.resolve()

  constructor(gpu: GpuDevice, programs: SeedingPrograms, size: SeedingSize) {
    this.#gpu = gpu
    this.#programs = programs
    this.#size = size
  }

  write(buffer: GPUBuffer, at: number, values: Int32Array | Uint32Array | Float64Array): void {
    void this.#checked(() => {
      this.#gpu.device.queue.writeBuffer(buffer, at, values as Uint32Array<ArrayBuffer>)
    })
  }

  /** Submits kernels in order, `times` over. */
  submit(buffers: SeedingBuffers, parameters: StepParameters, names: readonly KernelName[], times = 1): void {
    void this.#checked(() => this.#submit(buffers, parameters, names, times))
  }

  /** Waits for what was submitted. @throws LabError where anything of it failed. */
  async done(): Promise<void> {
    await this.#checked(() => this.#gpu.device.queue.onSubmittedWorkDone())
    await this.#checks
  }

  /** Waits for what was submitted, and copies some of a buffer. @throws LabError where anything of it failed. */
  async read(buffer: GPUBuffer, at: number, bytes: number): Promise<ArrayBuffer> {
    const copy = await this.#checked(() => this.#copy(buffer, at, bytes))
    await this.#checks
    return copy
  }

  #checked<T>(work: () => T | Promise<T>): Promise<T> {
    const checked = this.#gpu.checked('seeding', work)
    this.#checks = Promise.all([this.#checks, checked])
    // Told to whoever waits next.
    for (const each of [checked, this.#checks]) each.catch(() => undefined)
    return checked
  }

  #submit(
    buffers: SeedingBuffers,
    parameters: StepParameters,
    names: readonly KernelName[],
    times: number,
  ): void {
    this.#writeParameters(buffers, parameters)
    const encoder = this.#gpu.device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    for (let time = 0; time < times; time++) {
      for (const name of names) {
        pass.setPipeline(this.#programs.kernels[name])
        pass.setBindGroup(0, this.#bindingOf(buffers, name))
        pass.dispatchWorkgroups(...grid(groupsFor(name, this.#size.n, parameters.candidates)))
      }
    }
    pass.end()
    this.#gpu.device.queue.submit([encoder.finish()])
  }

  #writeParameters(buffers: SeedingBuffers, { candidates, slot = 1, position = 0 }: StepParameters): void {
    const { n, d } = this.#size
    const shape = new DataView(new ArrayBuffer(32))
    const words = [n, d, Math.ceil(n / blockPoints), candidates, slot, position]
    words.forEach((word, at) => shape.setUint32(4 * at, word, true))
    shape.setFloat32(24, shrinkOf(d), true)
    this.#gpu.device.queue.writeBuffer(buffers.shape, 0, shape.buffer)
  }

  async #copy(buffer: GPUBuffer, at: number, bytes: number): Promise<ArrayBuffer> {
    const { device } = this.#gpu
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
    const staging = device.createBuffer({ size: bytes, usage })
    const encoder = device.createCommandEncoder()
    encoder.copyBufferToBuffer(buffer, at, staging, 0, bytes)
    device.queue.submit([encoder.finish()])
    try {
      await staging.mapAsync(GPUMapMode.READ)
      return staging.getMappedRange().slice(0)
    } finally {
      staging.destroy()
    }
  }

  #bindingOf(buffers: SeedingBuffers, name: KernelName): GPUBindGroup {
    const known = this.#bindings.get(buffers) ?? new Map<KernelName, GPUBindGroup>()
    this.#bindings.set(buffers, known)
    const binding = known.get(name) ?? bindKernel(this.#gpu.device, this.#programs, name, buffers)
    known.set(name, binding)
    return binding
  }
}

/** The margin of weigh.wgsl; exact, as it is an integer below 2^24 over 2^23, or nothing is left of the distance. */
function shrinkOf(d: number): number {
  return Math.max(0, 1 - (2 * d + 16) * 2 ** -23)
}
