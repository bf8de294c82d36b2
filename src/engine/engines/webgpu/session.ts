import type { IterationStats, Points, ReadResult, Session, SessionConfig } from '../engine'
import { fillWithFarthest, survivors } from './empty-clusters'
import { inertiaFromSums, type Moments } from './moments'
import type { Pace } from './pace'
import type { BatchResult, Labelled, Phase, Position, Runner, SlotResult, Wanted } from './runner'
import { ruleIsMet, shiftBetween } from './step-rules'

/** Where a run stands: the float32 centroids are its whole state, the rest is bookkeeping. */
interface RunState {
  /** (clusters in play, d). */
  centroids: Float32Array
  /** Cluster index of each row of `centroids`; dropped clusters are not among them. */
  inPlay: Uint32Array
  iteration: number
  previousInertia: number | null
  /** An iteration that an abort left half done. */
  position: Position | null
  /** Time spent on it so far. Pieces are awaited one by one, so the host's clock is right for them. */
  piecesMs: Record<Phase, number>
}

/** Iterations under way on the device, or done there and not yet looked at. */
interface Batch {
  readonly count: number
  readonly result: Promise<BatchResult>
}

interface Timings {
  readonly assignMs: number | null
  readonly updateMs: number | null
  readonly iterateMs: number | null
  readonly elapsedMs: number | null
}

/** What an iteration left, and what was there before it. */
interface Taken {
  readonly before: Pick<RunState, 'centroids' | 'inPlay'>
  readonly inertia: number | null
  readonly emptyClusters: number
}

/** What a session must know beside its runner. */
export interface SessionFacts {
  /** Assignment and update are one kernel that cannot be parted. */
  readonly fused: boolean
  readonly pace: Pace
  /** Where the configuration wants sums; null where it does not. */
  readonly moments: Moments | null
  readonly uploadMs: number
}

const untimed: Timings = { assignMs: null, updateMs: null, iterateMs: null, elapsedMs: null }

/**
 * A run on one WebGPU device. The runner carries out iterations, where it can whole batches of them; the host looks
 * at what each left behind, decides in float64 as the other engines do, and throws away what went beyond the stop.
 */
export class WebgpuSession implements Session {
  readonly uploadMs: number
  readonly hostDeviceBytesPerIteration: number
  readonly #points: Points
  readonly #config: SessionConfig
  readonly #fused: boolean
  readonly #runner: Runner
  readonly #moments: Moments | null
  readonly #pace: Pace
  readonly #countsChanges: boolean
  #state: RunState
  /** The batch after the one that the host looks at: the device works on while the host decides. */
  #ahead: Batch | null = null
  /** What is left of a batch of which the last call wanted less. */
  #left: readonly SlotResult[] = []
  /** When the last batch was done. */
  #batchDone = 0

  /** @param runner is the session's own from now on. */
  constructor(
    points: Points,
    config: SessionConfig,
    runner: Runner,
    { fused, pace, moments, uploadMs }: SessionFacts,
  ) {
    this.#points = points
    this.#config = config
    this.#fused = fused
    this.#runner = runner
    this.#pace = pace
    this.#countsChanges = wantedOf(config).changes
    this.#moments = moments
    this.#state = freshState(new Float32Array(config.k * points.d), config.k)
    this.uploadMs = uploadMs
    this.hostDeviceBytesPerIteration = runner.hostDeviceBytesPerIteration
  }

  async start(centroids: Float32Array): Promise<void> {
    await this.#forgetAhead()
    this.#state = freshState(centroids.slice(), this.#config.k)
    await this.#runner.start()
    if (this.#countsChanges) await this.#runner.setLabels(null)
  }

  async advance(
    budget: { readonly iterations: number; readonly milliseconds: number },
    signal: AbortSignal,
  ): Promise<readonly IterationStats[]> {
    const began = performance.now()
    const done: IterationStats[] = []
    while (!signal.aborted && done.length < Math.max(1, budget.iterations)) {
      const news = await this.#slice(Math.max(1, budget.iterations) - done.length, signal)
      done.push(...news)
      if (done.at(-1)?.stop === true || performance.now() - began >= budget.milliseconds) break
    }
    return done
  }

  centroids(): Float32Array {
    return this.#expand(this.#state.centroids, this.#state.inPlay).slice()
  }

  async read(): Promise<ReadResult> {
    const { centroids, inPlay } = this.#state
    const { labels, downloadMs } = await this.#label(centroids)
    if (inPlay.length < this.#config.k) for (let i = 0; i < labels.length; i++) labels[i] = inPlay[labels[i]]
    return { labels, centroids: this.#expand(centroids, inPlay), inertia: null, downloadMs }
  }

  async close(): Promise<void> {
    await this.#forgetAhead()
    return this.#runner.close()
  }

  /** What the next batch left, or one iteration in pieces. Empty when aborted in between. */
  async #slice(most: number, signal: AbortSignal): Promise<IterationStats[]> {
    const single = this.#config.timing !== 'total'
    if (this.#left.length > 0) return this.#takeSome(this.#left, most)
    const first = this.#ahead ?? (await this.#begin(single ? 1 : most))
    if (first !== null && !single) return this.#takeSome(await this.#batch(first, most), most)
    const began = performance.now()
    const batch = first === null ? await this.#pieces(signal) : await this.#resultOf(first, began)
    if (batch === null) return []
    const elapsedMs = performance.now() - began
    return this.#conclude(batch.slots, single ? this.#timingsOf(batch, elapsedMs) : untimed)
  }

  /** Puts iterations from the centroids of the state on the queue; null: an iteration must be cut into pieces. */
  async #begin(most: number): Promise<Batch | null> {
    const count = this.#nextCount(most)
    if (count === 0) return null
    const written = this.#runner.setCentroids(this.#state.centroids)
    // Iterations that are timed begin when the centroids are there; others need not be waited for.
    if (this.#config.timing !== 'total') await written
    const result = this.#runner.iterate(count)
    return { count, result: Promise.all([result, written]).then(([batch]) => batch) }
  }

  /** Iterations of the next submit, 0 for pieces. */
  #nextCount(most: number): number {
    const count = this.#state.position === null ? this.#pace.batch(most) : 0
    return Math.min(count, this.#runner.maxIterations)
  }

  /** The slots of a batch, the one after it being under way. */
  async #batch(batch: Batch, most: number): Promise<readonly SlotResult[]> {
    const began = performance.now()
    const next = this.#nextCount(most - batch.count)
    const result = next > 0 ? this.#runner.iterate(next, true) : null
    this.#ahead = result === null ? null : { count: next, result }
    // Told to whoever waits for it; until then nobody does.
    result?.catch(() => undefined)
    return (await this.#resultOf(batch, began)).slots
  }

  async #resultOf({ count, result }: Batch, began: number): Promise<BatchResult> {
    const batch = await result
    const done = performance.now()
    this.#pace.note(count, done - Math.max(began, this.#batchDone))
    this.#batchDone = done
    return batch
  }

  /** Takes over at most `most` iterations and keeps the others for the next call, unless they are void. */
  async #takeSome(slots: readonly SlotResult[], most: number): Promise<IterationStats[]> {
    this.#left = slots.slice(most)
    return this.#conclude(slots.slice(0, most), untimed)
  }

  /** What the device did beyond a stop or a mended cluster is void. */
  async #forgetAhead(): Promise<void> {
    const ahead = this.#ahead
    this.#ahead = null
    this.#left = []
    await ahead?.result.catch(() => undefined)
  }

  async #pieces(signal: AbortSignal): Promise<BatchResult | null> {
    const state = this.#state
    if (state.position === null) await this.#runner.setCentroids(state.centroids)
    state.position ??= { phase: 'assign', part: 0, first: 0 }
    while (state.position !== null) {
      if (signal.aborted) return null
      state.position = await this.#piece(state.position, signal)
    }
    const { assign: assignMs, update } = state.piecesMs
    state.piecesMs = { assign: 0, update: 0 }
    const began = performance.now()
    const batch = await this.#runner.complete()
    return { ...batch, assignMs, updateMs: update + performance.now() - began }
  }

  async #piece(from: Position, signal: AbortSignal): Promise<Position | null> {
    const began = performance.now()
    const points = this.#runner.fit(from, this.#pace.points(from.phase))
    const next = await this.#runner.piece(from, points, signal)
    const ms = performance.now() - began
    this.#state.piecesMs[from.phase] += ms
    if (next !== from) this.#pace.notePiece(from.phase, points, ms)
    return next
  }

  #timingsOf({ assignMs, updateMs }: BatchResult, elapsedMs: number): Timings {
    const parted = this.#config.timing === 'phases' && !this.#fused
    const whole = this.#config.timing === 'phases' && this.#fused
    const deviceMs = assignMs === null || updateMs === null ? elapsedMs : assignMs + updateMs
    return {
      assignMs: parted ? assignMs : null,
      updateMs: parted ? updateMs : null,
      iterateMs: whole ? deviceMs : null,
      elapsedMs,
    }
  }

  /** Takes the iterations of a batch over one by one, until the rule is met or a cluster must be mended. */
  async #conclude(slots: readonly SlotResult[], timings: Timings): Promise<IterationStats[]> {
    const done: IterationStats[] = []
    for (const slot of slots) {
      const began = performance.now()
      const taken = this.#take(slot)
      // Nothing is waited for where nothing must be mended: thousands of iterations come here in a second.
      const mended = taken.emptyClusters > 0 && this.#config.empty !== 'keep'
      if (mended) await this.#mend(slot, taken.before.centroids)
      const stats = this.#statsOf(slot, taken, timings, began)
      done.push(stats)
      if (stats.stop) await this.#forgetAhead()
      if (stats.stop || mended) break
    }
    // What was looked at is the runner's, which takes its memory over.
    this.#state.centroids = this.#state.centroids.slice()
    return done
  }

  #take(slot: SlotResult): Taken {
    const state = this.#state
    const before = { centroids: state.centroids, inPlay: state.inPlay }
    const inertia = this.#inertiaOf(slot)
    const emptyClusters = slot.counts.includes(0) ? emptyOf(slot.counts) : 0
    state.centroids = slot.centroids
    state.iteration++
    return { before, inertia, emptyClusters }
  }

  #statsOf(
    slot: SlotResult,
    { before, inertia, emptyClusters }: Taken,
    timings: Timings,
    began: number,
  ): IterationStats {
    const state = this.#state
    const after = this.#expand(state.centroids, state.inPlay)
    const shift = shiftBetween(this.#expand(before.centroids, before.inPlay), after, this.#points.d)
    const first = state.iteration === 1
    const changed = first ? this.#points.n : slot.changed
    const counted = this.#countsChanges ? changed : null
    const facts = { iteration: state.iteration, inertia, changed: counted }
    const stop = ruleIsMet(this.#config, facts, shift, state.previousInertia, this.#points.n)
    state.previousInertia = inertia
    const convergeMs = performance.now() - began
    return {
      ...facts,
      shiftSquared: shift.squared,
      maxShift: shift.maxNorm,
      maxCoordinateShift: shift.maxCoordinate,
      emptyClusters,
      assignMs: timings.assignMs,
      updateMs: timings.updateMs,
      convergeMs: this.#config.timing === 'phases' ? convergeMs : null,
      iterateMs: timings.iterateMs,
      totalMs: timings.elapsedMs === null ? null : timings.elapsedMs + convergeMs,
      stop,
      centroids: this.#config.trackCentroids ? after.slice() : null,
    }
  }

  #inertiaOf(slot: SlotResult): number | null {
    if (this.#moments === null) return null
    return inertiaFromSums(this.#moments, this.#state.centroids, slot.counts, slot.sums)
  }

  /** Empty clusters under `farthest` and `drop`: rare, so the host settles them from the labels. */
  async #mend(slot: SlotResult, before: Float32Array): Promise<void> {
    await this.#forgetAhead()
    const state = this.#state
    const { labels } = await this.#label(before)
    if (this.#config.empty === 'farthest') {
      state.centroids = await fillWithFarthest(this.#points, labels, slot.counts, before, slot.centroids)
    } else {
      const kept = survivors(slot.counts)
      const d = this.#points.d
      const rowOf = new Int32Array(state.inPlay.length)
      kept.forEach((old, row) => (rowOf[old] = row))
      state.centroids = Float32Array.from(
        { length: kept.length * d },
        (_, at) => slot.centroids[kept[Math.floor(at / d)] * d + (at % d)],
      )
      const { inPlay } = state
      state.inPlay = kept.map((old) => inPlay[old])
      for (let i = 0; i < labels.length; i++) labels[i] = rowOf[labels[i]]
    }
    if (this.#countsChanges) await this.#runner.setLabels(labels)
  }

  async #label(centroids: Float32Array): Promise<Labelled> {
    await this.#runner.setCentroids(centroids)
    return this.#runner.label(this.#pace.points('assign'))
  }

  /** Rows of the clusters in play -> (k, d); a dropped cluster's row is NaN. */
  #expand(rows: Float32Array, inPlay: Uint32Array): Float32Array {
    const { k } = this.#config
    const { d } = this.#points
    if (inPlay.length === k) return rows
    const all = new Float32Array(k * d).fill(Number.NaN)
    inPlay.forEach((cluster, row) => all.set(rows.subarray(row * d, (row + 1) * d), cluster * d))
    return all
  }
}

function emptyOf(counts: Uint32Array): number {
  return counts.reduce((empty, members) => empty + (members === 0 ? 1 : 0), 0)
}

/** What the configuration asks of a runner. */
export function wantedOf({ stop, timing, trackInertia, trackChanged }: SessionConfig): Wanted {
  return {
    sums: stop === 'inertia' || trackInertia,
    apart: timing !== 'total',
    stamps: timing === 'phases',
    changes: stop === 'labels' || trackChanged,
  }
}

function freshState(centroids: Float32Array, k: number): RunState {
  const inPlay = Uint32Array.from({ length: k }, (_, cluster) => cluster)
  const piecesMs = { assign: 0, update: 0 }
  return { centroids, inPlay, iteration: 0, previousInertia: null, position: null, piecesMs }
}
