import type { Shape } from '../auto/cost-model'

/** What looking at labels costs. */
export interface VerificationScale {
  /** Float64 multiply-adds of one look: well under a second. */
  readonly maxProducts: number
  /** About. */
  readonly productsPerMs: number
  /** Coordinates that the other checks visit in a millisecond, about. */
  readonly coordinatesPerMs: number
}

/** One thread of JavaScript. */
export const typescriptScale: VerificationScale = {
  maxProducts: 2e8,
  productsPerMs: 1e5,
  coordinatesPerMs: 1e5,
}

/** With vectors on so many threads of a processor of this decade. */
export function nativeScale(threads: number): VerificationScale {
  return { maxProducts: 5e8 * threads, productsPerMs: 1e6 * threads, coordinatesPerMs: 5e5 * threads }
}

const minSampled = 1000
const maxSampled = 1 << 24
/** A distance and a label of each, for the shared start and the newest end. */
const bytesOfSampled = 2 * (8 + 4)

/** Room of what is looked at, beside the points; about. */
export function sampledBytes(n: number): number {
  return bytesOfSampled * Math.min(n, maxSampled)
}

/** Points whose labels are compared with float64 distances: all, or a sample where that would take long. */
export function pointsChecked({ n, d, k }: Shape, { maxProducts }: VerificationScale): number {
  return Math.min(n, maxSampled, Math.max(minSampled, Math.floor(maxProducts / (d * k))))
}
