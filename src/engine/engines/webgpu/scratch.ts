import type { VariantId } from '@shared/variant'
import type { GpuDevice } from './gpu-device'
import type { PartSize } from './sizes'
import type { VariantPasses } from '@kernels/common/webgpu/passes'

export type NamedBuffers = Readonly<Record<string, GPUBuffer>>

/** One entry for each part; parts share the buffers that are not kept per part. */
export type PartScratch = readonly NamedBuffers[]

/** Reserves what a variant asked for. @throws LabError that says how much when the device has not enough. */
export function createScratch(
  gpu: GpuDevice,
  variant: VariantId,
  { scratch = {} }: Pick<VariantPasses, 'scratch'>,
  parts: readonly PartSize[],
): Promise<PartScratch> {
  const largest = parts.reduce((most, { count }) => Math.max(most, count), 0)
  const entries = Object.entries(scratch)
  const common = entries.filter(([, { keptPer }]) => keptPer === undefined)
  const own = entries.filter(([, { keptPer }]) => keptPer === 'part')
  const sizes = [
    ...common.map(([, { bytes }]) => bytes(largest)),
    ...own.flatMap(([, { bytes }]) => parts.map(({ count }) => bytes(count))),
  ]
  const need = sizes.reduce((sum, bytes) => sum + bytes, 0)
  return gpu.checked(`reserving ${need} bytes for the working memory of '${variant}'`, () => {
    const reserved = (list: typeof entries, count: number): [string, GPUBuffer][] =>
      list.map(([name, { bytes }]) => [name, reserve(gpu, bytes(count))])
    const shared = Object.fromEntries(reserved(common, largest))
    return parts.map(({ count }) => ({ ...shared, ...Object.fromEntries(reserved(own, count)) }))
  })
}

function reserve(gpu: GpuDevice, bytes: number): GPUBuffer {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST
  return gpu.createBuffer({ size: 4 * Math.ceil(bytes / 4), usage })
}
