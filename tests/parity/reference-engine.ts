import type {
  AnyPoints,
  Coordinates,
  Engine,
  IterationStats,
  Session,
  SessionConfig,
} from '@engine/engines/engine'
import { assign, shiftOf, update, type Assignment, type Shift } from './reference'

const untimed = { assignMs: null, updateMs: null, convergeMs: null, iterateMs: null, totalMs: null }

/** The float64 reference behind the seam of an engine: what the loop and the stop rules are tested with. */
export const referenceEngine: Engine = {
  id: 'cpu',
  availability: async () => ({ available: true }),
  devices: async () => [{ id: 'cpu', name: 'Reference', memoryBytes: null, software: false }],
  variants: () => [{ id: 'sequential', deterministic: true, exact: true }],
  versions: async () => ({}),
  open: async (points, config) => new ReferenceSession(points, config),
}

export class ReferenceSession implements Session {
  readonly uploadMs = 0
  readonly hostDeviceBytesPerIteration = 0
  readonly #points: AnyPoints
  readonly #config: SessionConfig
  #centroids: Coordinates = new Float32Array()
  #labels: Int32Array | null = null
  #previousInertia: number | null = null
  #iteration = 0

  constructor(points: AnyPoints, config: SessionConfig) {
    this.#points = points
    this.#config = config
  }

  async start(centroids: Coordinates): Promise<void> {
    this.#centroids = centroids.slice()
    this.#labels = null
    this.#previousInertia = null
    this.#iteration = 0
  }

  async advance(budget: { readonly iterations: number; readonly milliseconds: number }, signal: AbortSignal) {
    const began = performance.now()
    const done: IterationStats[] = []
    while (!signal.aborted && done.length < budget.iterations) {
      done.push(this.#iterate())
      if (done.at(-1)?.stop === true || performance.now() - began >= budget.milliseconds) break
    }
    return done
  }

  centroids(): Coordinates {
    return this.#centroids.slice()
  }

  async read() {
    const centroids = this.#centroids
    const { labels, inertia } = assign(this.#points, centroids, this.#config.k)
    return { labels, centroids: centroids.slice(), inertia, downloadMs: 0 }
  }

  async close(): Promise<void> {
    this.#labels = null
  }

  #iterate(): IterationStats {
    const { k, empty, trackCentroids } = this.#config
    const before = this.#centroids
    const assignment = assign(this.#points, before, k)
    const after = Float32Array.from(update(this.#points, before, assignment, k, empty))
    const shift = shiftOf(before, after, k, this.#points.d)
    const changed = this.#changed(assignment.labels)
    this.#iteration++
    const stop = this.#isMet(assignment, shift, changed)
    this.#centroids = after
    this.#labels = assignment.labels
    this.#previousInertia = assignment.inertia
    return {
      ...untimed,
      iteration: this.#iteration,
      inertia: this.#config.trackInertia || this.#config.stop === 'inertia' ? assignment.inertia : null,
      shiftSquared: shift.squared,
      maxShift: shift.largest,
      maxCoordinateShift: shift.coordinate,
      changed: this.#config.trackChanged || this.#config.stop === 'labels' ? changed : null,
      emptyClusters: assignment.counts.filter(
        (count, c) => count === 0 && !Number.isNaN(before[c * this.#points.d]),
      ).length,
      stop,
      centroids: trackCentroids ? after.slice() : null,
    }
  }

  #changed(labels: Int32Array): number {
    const previous = this.#labels
    if (previous === null) return labels.length
    return labels.reduce((count, label, i) => count + (label === previous[i] ? 0 : 1), 0)
  }

  /** Step 5 of the contract. */
  #isMet({ inertia }: Assignment, shift: Shift, changed: number): boolean {
    const { stop, threshold } = this.#config
    if (stop === 'none') return false
    if (shift.coordinate === 0) return true
    if (stop === 'relative-shift') return shift.squared <= threshold
    if (stop === 'coordinate-shift') return shift.coordinate <= threshold
    if (stop === 'labels') return changed <= threshold * this.#points.n
    return this.#previousInertia !== null && this.#previousInertia - inertia < threshold
  }
}
