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
