import { variants } from '@kernels/variants'
import type { Precision } from '@shared/precision'
import type { Device, RunShape, VariantId } from '@shared/variant'
import { bytesOfCoordinate } from '../dataset/coordinates'
import { freeBytes, sizeOf } from '../memory'
import { sampledBytes } from './sampling'

const bytesOfLabel = 4

/** Beside the dataset, on the device: labels, centroids with their sums, and the variant's own workspace. */
export function runBytes(variant: VariantId, shape: RunShape, precision: Precision): number {
  const { n, d, k } = shape
  const declared = variants.find(({ id }) => id === variant)
  const bytes = bytesOfCoordinate(precision)
  return bytesOfLabel * n + 3 * bytes * k * d + (declared?.workspaceBytes?.(shape) ?? 0)
}

/** One sentence when the dataset and the run do not fit on the device; null when they do, or nobody knows. */
export function deviceRefusal(
  device: Device,
  variant: VariantId,
  shape: RunShape,
  precision: Precision,
): string | null {
  const needed = bytesOfCoordinate(precision) * shape.n * shape.d + runBytes(variant, shape, precision)
  const { memoryBytes } = device
  if (memoryBytes === null || needed <= memoryBytes) return null
  return `It would need ${sizeOf(needed)}, but ${device.name} has ${sizeOf(memoryBytes)}: choose fewer points or another device.`
}

/** One sentence when this process could not hold the dataset, its points and what is looked at of them; null when it could. */
export function hostRefusal({ n, d }: Pick<RunShape, 'n' | 'd'>, precision: Precision): string | null {
  const held = bytesOfCoordinate('float32') + bytesOfCoordinate(precision)
  const needed = held * n * d + sampledBytes(n)
  const free = freeBytes()
  if (needed <= free) return null
  return `The dataset would need ${sizeOf(needed)} of memory, but ${sizeOf(free)} are free: choose fewer points.`
}
