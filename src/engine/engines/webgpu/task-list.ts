import type { RingSize } from './sizes'

/** What one dispatch is told, as far as it differs from the others of a session; see task.wgsl. */
export interface TaskWords {
  readonly first: number
  readonly count: number
  readonly slot: number
  readonly labelOrigin: number
  readonly flags: number
  readonly step: number
}

/** Flags of task.wgsl. */
export const accumulate = 1
export const writeLabels = 2
export const countChanges = 4
export const meansFirst = 8
export const sumsFirst = 16

/** Bytes between two tasks: the alignment that dynamic offsets need. */
export const taskStride = 256
export const taskBytes = 48

/** One write for all: hundreds of small ones cost more than the iterations themselves. */
export function writeTasks(
  device: GPUDevice,
  { ring, tasks }: { readonly ring: RingSize; readonly tasks: GPUBuffer },
  { k, d }: { readonly k: number; readonly d: number },
  list: readonly TaskWords[],
): void {
  const strides = [ring.countsStride, ring.sumsStride, ring.centroidsStride, ring.countsStride - 3]
  const words = new Uint32Array((list.length * taskStride) / 4)
  list.forEach(({ first, count, slot, labelOrigin, flags, step }, at) => {
    words.set([first, count, k, d, slot, labelOrigin, ...strides, flags, step], (at * taskStride) / 4)
  })
  device.queue.writeBuffer(tasks, 0, words)
}
