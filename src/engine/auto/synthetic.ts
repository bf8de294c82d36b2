import type { Points } from '../engines/engine'
import { Draws } from '../init/philox'
import type { Shape } from './cost-model'

/** The coordinates repeat with this period: what they are does not matter, only that they differ. */
const period = 65_537

/** Noise of a given shape in engine units, always the same. */
export function generatePoints({ n, d }: Shape): Points {
  const draws = new Draws(0, 0)
  const noise = Float32Array.from(
    { length: Math.min(period, n * d) },
    (_, index) => draws.uniform(0, index) - 0.5,
  )
  const x = new Float32Array(n * d)
  for (let start = 0; start < x.length; start += noise.length) {
    x.set(noise.subarray(0, Math.min(noise.length, x.length - start)), start)
  }
  return { x, n, d, maxAbs: new Float32Array(d).fill(0.5) }
}

const blobs = 20
/** Standard deviation of a blob; no coordinate is further from its centre than `maxDeviations` of them. */
const spread = 0.05
const maxDeviations = 5

/** Twenty normal blobs in engine units, in no order; always the same for a shape. */
export function blobPoints({ n, d }: Pick<Shape, 'n' | 'd'>): Points {
  const draws = new Draws(0, 1)
  const normals = Float32Array.from({ length: Math.min(period, n * d) }, (_, at) => {
    const length = Math.sqrt(-2 * Math.log(1 - draws.uniform(0, 2 * at)))
    const deviation = length * Math.cos(2 * Math.PI * draws.uniform(0, 2 * at + 1))
    return spread * Math.max(-maxDeviations, Math.min(maxDeviations, deviation))
  })
  const centres = Float32Array.from({ length: blobs * d }, (_, at) => draws.uniform(1, at) - 0.5)
  const x = new Float32Array(n * d)
  for (let row = 0, at = 0; row < n; row++) {
    // In no order that a sample of every so many rows could meet.
    const centre = ((Math.imul(row, 0x9e3779b1) >>> 16) % blobs) * d
    for (let j = 0; j < d; j++, at++) x[at] = centres[centre + j] + normals[at % normals.length]
  }
  return { x, n, d, maxAbs: new Float32Array(d).fill(0.5 + maxDeviations * spread) }
}
