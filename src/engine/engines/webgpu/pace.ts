import type { Phase } from './runner'

/** Longest piece of work given to the device at once, so that a cancel is answered within 200 ms. */
const pieceMs = 50
/**
 * Of whole iterations: the host takes those of one submit over while the device is at the next one, so that what comes before the first
 * and after the last is short. A submit costs a card some 15 microseconds beside its iterations; software adapters work on the host's
 * own processors, where nothing passes beside it.
 */
const submitMs = { software: 8, hardware: 1 }
/** Multiply-adds a millisecond assumed before anything was measured; low on purpose. */
const firstGuess = { software: 1e4, hardware: 1e9 }

/** Learns how fast the device is and cuts the work accordingly. Never touches results. */
export class Pace {
  readonly #n: number
  readonly #pointsPerGroup: number
  readonly #submitMs: number
  #iterationMs: number
  /** For a phase of which no piece was measured: the guess, later a whole iteration, which bounds it. */
  #unmeasuredMs: number
  readonly #phaseMs: Partial<Record<Phase, number>> = {}
  #batch = 16

  /**
   * @param pointsPerGroup points of one workgroup: fewer would cost as much.
   * @param minMs what an iteration is expected to last however fast the device multiplies.
   */
  constructor(n: number, k: number, d: number, software: boolean, pointsPerGroup: number, minMs = 0) {
    this.#n = n
    this.#pointsPerGroup = pointsPerGroup
    const adapter = software ? 'software' : 'hardware'
    this.#submitMs = submitMs[adapter]
    this.#iterationMs = Math.max(minMs, (n * k * d) / firstGuess[adapter])
    this.#unmeasuredMs = this.#iterationMs
  }

  /** Iterations for the next submit; 0 when one iteration must be cut into pieces. */
  batch(most: number): number {
    if (this.#iterationMs > pieceMs) return 0
    return Math.min(most, Math.max(1, Math.floor(this.#submitMs / this.#iterationMs)), this.#batch)
  }

  /** Points for the next piece of a phase of a cut iteration. */
  points(phase: Phase): number {
    const affordable = (pieceMs * this.#n) / (this.#phaseMs[phase] ?? this.#unmeasuredMs)
    return this.#pointsPerGroup * Math.max(1, Math.floor(affordable / this.#pointsPerGroup))
  }

  /** `iterations` took `ms`. */
  note(iterations: number, ms: number): void {
    this.#iterationMs = Math.max(ms, 0.01) / iterations
    this.#unmeasuredMs = this.#iterationMs
    this.#batch = Math.min(1024, this.#batch * 2)
  }

  /** A piece of a phase over `points` points took `ms`. */
  notePiece(phase: Phase, points: number, ms: number): void {
    this.#phaseMs[phase] = (Math.max(ms, 0.01) * this.#n) / points
    const phases = Object.values(this.#phaseMs)
    this.#iterationMs = phases.reduce((sum, phaseMs) => sum + phaseMs, 0)
  }
}
