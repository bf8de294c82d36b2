import type { RunShape } from '@shared/variant'
import { generator, pointsOf } from '@tests/parity/fixtures'
import { makeBlobs, type Blobs } from '../blobs'

export const dataKinds = ['blobs', 'uniform'] as const
export type DataKind = (typeof dataKinds)[number]

export interface Workload extends RunShape {
  readonly data: DataKind
  readonly iterations: number
}

const points = 100_000
const shapes: readonly RunShape[] = [
  ...[5, 50, 250].map((k) => ({ n: points, d: 2, k })),
  ...[5, 50, 250].map((k) => ({ n: points, d: 8, k })),
  // Di Dio's second largest data at its smallest k.
  { n: 50_000, d: 2, k: 10 },
]

/** Multiply-adds of one run: about a quarter of a second. */
const work = 4e8
const [minIterations, maxIterations] = [10, 300]

/** What is compared: every shape on both kinds of data. */
export function workloads(scale = 1): Workload[] {
  return shapes.flatMap((shape) => {
    const n = Math.max(shape.k, Math.round(shape.n * scale))
    const fitting = Math.round(work / (shape.n * shape.d * shape.k))
    const iterations = Math.min(maxIterations, Math.max(minIterations, fitting))
    return dataKinds.map((data) => ({ ...shape, n, data, iterations }))
  })
}

/** Points in engine units and distinct rows of them to start from. */
export function dataOf({ data, n, d, k }: Workload): Pick<Blobs, 'points' | 'centroids'> {
  if (data === 'blobs') return makeBlobs({ n, d, k })
  const next = generator(1)
  const x = Float32Array.from({ length: n * d }, () => 2 * next() - 1)
  x[0] = 0.875
  return { points: pointsOf(x, n, d), centroids: x.slice(0, k * d) }
}
