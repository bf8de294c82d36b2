import { LabError } from '@shared/errors'
import type { Points } from '../engine'
import type { Scratch } from '@kernels/common/webgpu/passes'

/** A run of consecutive points that fits one storage binding. */
export interface PartSize {
  readonly first: number
  readonly count: number
}

/** The rings: one slot per iteration of a submit. All strides in 32-bit words. */
export interface RingSize {
  readonly slots: number
  readonly countsStride: number
  readonly sumsStride: number
  readonly centroidsStride: number
}

const ringBytes = 32 * 2 ** 20
const maxSlots = 256

/** Cuts the points into parts, whole points each and at most `pointsPerPart`, so that a part and every scratch for it keep within the limit. */
export function planParts(
  { n, d }: Pick<Points, 'n' | 'd'>,
  limitBytes: number,
  scratch: readonly Scratch[] = [],
  pointsPerPart = 2 ** 30,
): PartSize[] {
  // The buffer of the points is filled up to whole vectors of four.
  const filledUp = d % 4 === 0 ? limitBytes : limitBytes - (limitBytes % 16)
  if (d * 4 > filledUp) throw tooLarge('one point', d * 4, limitBytes)
  const most = scratch.reduce(
    (count, { bytes }) => largestFitting(count, bytes, limitBytes),
    Math.min(n, Math.floor(filledUp / (d * 4)), pointsPerPart, 2 ** 30),
  )
  const parts: PartSize[] = []
  for (let first = 0; first < n; first += most) parts.push({ first, count: Math.min(most, n - first) })
  return parts
}

/** The most points, up to `most`, whose scratch fits. @throws LabError when that of one point does not. */
function largestFitting(most: number, bytes: Scratch['bytes'], limitBytes: number): number {
  if (bytes(1) > limitBytes) throw tooLarge('the working memory for one point', bytes(1), limitBytes)
  let fitting = 1
  let beyond = most + 1
  while (beyond - fitting > 1) {
    const middle = Math.floor((fitting + beyond) / 2)
    if (bytes(middle) <= limitBytes) fitting = middle
    else beyond = middle
  }
  return fitting
}

/** How many iterations fit the rings. @throws LabError when not even one does. */
export function planRing(n: number, k: number, d: number, limitBytes: number): RingSize {
  if (n >= 2 ** 31) throw new LabError('input', 'webgpu.too-large', pointLimit(n))
  // Members, changed labels, points in doubt, workgroups that are done with them; sums of two words, and rests.
  const countsStride = k + 3
  const sumsStride = 3 * k * d
  const centroidsStride = k * d
  const slotBytes = 4 * (countsStride + sumsStride + centroidsStride)
  if (4 * sumsStride > limitBytes) throw tooLarge('the cluster sums', 4 * sumsStride, limitBytes)
  const fitting = Math.min(Math.floor(ringBytes / slotBytes), Math.floor(limitBytes / (4 * sumsStride)) - 1)
  return { slots: Math.max(1, Math.min(maxSlots, fitting)), countsStride, sumsStride, centroidsStride }
}

function pointLimit(n: number): string {
  return `WebGPU takes fewer than 2147483648 points but there are ${n}; choose engine cpu or fewer rows.`
}

function tooLarge(what: string, need: number, limit: number): LabError {
  const message = `On this WebGPU device ${what} would need ${need} bytes of the ${limit} that one buffer may have; choose a smaller k, fewer features, or engine cpu.`
  return new LabError('input', 'webgpu.too-large', message)
}
