import type { Points, SessionConfig } from '../../engine'

/** A session's configuration with everything optional off. */
export function optionsFor(given: Partial<SessionConfig>): SessionConfig {
  return {
    variant: 'sequential',
    k: 2,
    stop: 'none',
    threshold: 0,
    empty: 'keep',
    timing: 'total',
    trackChanged: false,
    trackInertia: false,
    trackCentroids: false,
    ...given,
  }
}

export function pointsOf(values: readonly number[] | Float32Array, d: number): Points {
  const x = Float32Array.from(values)
  const maxAbs = new Float32Array(d)
  x.forEach((value, at) => (maxAbs[at % d] = Math.max(maxAbs[at % d], Math.abs(value))))
  return { x, n: x.length / d, d, maxAbs }
}

/** Points around five centres, within the unit cube; the same for a seed. */
export function blobs(n: number, d: number, seed: number): Points {
  const random = generator(seed)
  const centres = Array.from({ length: 5 * d }, () => 1.4 * random() - 0.7)
  const values = Array.from({ length: n * d }, (_, at) => {
    const centre = centres[(Math.floor(at / d) % 5) * d + (at % d)]
    return centre + 0.2 * (random() + random() - 1)
  })
  return pointsOf(values, d)
}

/** Points on a coarse grid: most distances tie. */
export function lattice(n: number, d: number): Points {
  const random = generator(11)
  return pointsOf(
    Array.from({ length: n * d }, () => (Math.floor(7 * random()) - 3) / 4),
    d,
  )
}

/** Park and Miller's generator, in [0, 1): quality does not matter here. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
