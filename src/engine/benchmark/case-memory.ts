import { variants } from '@kernels/variants'
import type { Device, RunShape, VariantId } from '@shared/variant'
import { freeBytes, sizeOf } from '../memory'
import { sampledBytes } from './sampling'

const float = 4

/** Beside the dataset, on the device: labels, centroids with their sums, and the variant's own workspace. */
export function runBytes(variant: VariantId, shape: RunShape): number {
  const { n, d, k } = shape
  const declared = variants.find(({ id }) => id === variant)
  return float * n + 3 * float * k * d + (declared?.workspaceBytes?.(shape) ?? 0)
}

/** One sentence when the dataset and the run do not fit on the device; null when they do, or nobody knows. */
export function deviceRefusal(device: Device, variant: VariantId, shape: RunShape): string | null {
  const needed = float * shape.n * shape.d + runBytes(variant, shape)
  const { memoryBytes } = device
  if (memoryBytes === null || needed <= memoryBytes) return null
  return `It would need ${sizeOf(needed)}, but ${device.name} has ${sizeOf(memoryBytes)}: choose fewer points or another device.`
}

/** One sentence when this process could not hold the dataset, its points and what is looked at of them; null when it could. */
export function hostRefusal({ n, d }: Pick<RunShape, 'n' | 'd'>): string | null {
  const needed = 2 * float * n * d + sampledBytes(n)
  const free = freeBytes()
  if (needed <= free) return null
  return `The dataset would need ${sizeOf(needed)} of memory, but ${sizeOf(free)} are free: choose fewer points.`
}
