import { generator, pointsOf as withMagnitudes } from '@tests/parity/fixtures'
import type { Points, SessionConfig } from '../../engine'
import { plainSession } from '../../session-config'

/** A session's configuration with everything optional off. */
export function optionsFor(given: Partial<SessionConfig>): SessionConfig {
  return plainSession('sequential', { k: 2, ...given })
}

export function pointsOf(values: readonly number[] | Float32Array, d: number): Points {
  return withMagnitudes(Float32Array.from(values), values.length / d, d)
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
