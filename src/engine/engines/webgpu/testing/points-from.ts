import type { Points } from '../../engine'
import { pointsOf } from '@tests/parity/fixtures'

/** (n, d) points whose coordinates a function of row and column says. */
export function pointsFrom(n: number, d: number, value: (i: number, j: number) => number): Points {
  return pointsOf(
    Float32Array.from({ length: n * d }, (_, at) => value(Math.floor(at / d), at % d)),
    n,
    d,
  )
}

/** The same for the same row and column, within half of one. */
export const noise = (i: number, j: number) =>
  (Math.imul(i * 977 + j * 131 + 7, 2654435761) >>> 8) / 2 ** 24 - 0.5
