import type { Dispersion } from '@shared/metrics/dispersion'
import { Slices } from '../slices'
import type { LabelledPoints } from './labelled-points'

const blockValues = 1 << 15

/**
 * Means of the members of each cluster, and their distances to them, engine units, float64. O(n d) in two passes, in
 * slices. @throws LabError `cancelled`
 */
export async function dispersionOf(
  { points: { x, n, d }, labels, k }: LabelledPoints,
  signal: AbortSignal,
): Promise<Dispersion> {
  const sizes = new Float64Array(k)
  const means = new Float64Array(k * d)
  const squares = new Float64Array(k)
  const distances = new Float64Array(k)
  await eachMember(labels, d, new Slices(signal), (point, label) => {
    sizes[label]++
    for (let j = 0; j < d; j++) means[label * d + j] += x[point * d + j]
  })
  for (let at = 0; at < means.length; at++) means[at] /= sizes[Math.floor(at / d)]
  await eachMember(labels, d, new Slices(signal), (point, label) => {
    let square = 0
    for (let j = 0; j < d; j++) square += (x[point * d + j] - means[label * d + j]) ** 2
    squares[label] += square
    distances[label] += Math.sqrt(square)
  })
  const members = sizes.reduce((sum, size) => sum + size, 0)
  return { n: Math.min(n, members), d, sizes, means, squares, distances }
}

async function eachMember(
  labels: Int32Array,
  d: number,
  slices: Slices,
  visit: (point: number, label: number) => void,
): Promise<void> {
  const block = Math.max(1, Math.floor(blockValues / d))
  for (let start = 0; start < labels.length; start += block) {
    const end = Math.min(labels.length, start + block)
    for (let point = start; point < end; point++) if (labels[point] >= 0) visit(point, labels[point])
    await slices.next()
  }
}
