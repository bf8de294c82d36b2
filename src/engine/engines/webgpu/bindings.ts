import { bindingNumbers, firstScratchBinding, type Programs, type Step } from './programs'
import { taskBytes } from './task-list'
import type { SharedBinding } from '@kernels/common/webgpu/passes'

/** A pass with the buffers it works on. */
export interface BoundStep {
  readonly step: Step
  readonly bindings: GPUBindGroup
}

/** The passes of a variant over one part. */
export interface BoundSteps {
  readonly prepare: readonly BoundStep[]
  readonly assign: readonly BoundStep[]
  readonly whole: readonly BoundStep[]
  readonly wholeEnd: readonly BoundStep[]
  readonly update: readonly BoundStep[]
}

/** The buffers that steps may name. */
export interface StepBuffers {
  readonly tasks: GPUBuffer
  readonly shared: Readonly<Partial<Record<SharedBinding, GPUBuffer>>>
  readonly scratch: Readonly<Record<string, GPUBuffer>>
}

export function bindSteps(device: GPUDevice, programs: Programs, buffers: StepBuffers): BoundSteps {
  const bound = (steps: readonly Step[]) => steps.map((step) => bindStep(device, step, buffers))
  return {
    prepare: bound(programs.prepare),
    assign: bound(programs.assign),
    whole: bound(programs.whole),
    wholeEnd: bound(programs.wholeEnd),
    update: bound(programs.update),
  }
}

export function bindStep(device: GPUDevice, step: Step, { tasks, shared, scratch }: StepBuffers): BoundStep {
  const named = step.bindings.flatMap((name) => {
    const buffer = shared[name]
    return buffer === undefined ? [] : [{ binding: bindingNumbers[name], resource: { buffer } }]
  })
  const own = step.scratch.map((name, at) => ({
    binding: firstScratchBinding + at,
    resource: { buffer: scratch[name] },
  }))
  const task = { binding: 0, resource: { buffer: tasks, size: taskBytes } }
  return {
    step,
    bindings: device.createBindGroup({ layout: step.layout, entries: [task, ...named, ...own] }),
  }
}
