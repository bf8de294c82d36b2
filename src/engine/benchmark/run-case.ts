import type { Measurement } from '@shared/benchmark/document'
import type { Suite } from '@shared/benchmark/suite'
import type { TimingLevel } from '@shared/run-config'
import { finalPass } from '../run/final-pass'
import { resultHash } from '../run/result-hash'
import { toScaledSquare } from '../run/units'
import { Slices, throwIfAborted } from '../slices'
import { systemSleep } from '../system-sleep'
import type { Case, ContenderRunner, WholeRun } from './contender-runner'
import type { Progress, Stage } from './progress'
import type { BenchmarkDependencies, Watch } from './dependencies'
import { Tally } from './tally'
import { Referee } from './verify'

/** Where a comparison is told what happens, and asked to wait or to end. */
export type Lead = Pick<Watch, 'signal' | 'turn' | 'exclusive' | 'mark'> & { readonly progress: Progress }

/** Order of round `round` (0-based): each contender once, another one first each time. */
export function rotated<T>(items: readonly T[], round: number): T[] {
  return items.map((_, at) => items[(at + round) % items.length])
}

/**
 * All contenders of one dataset and one k: each is verified and warmed up, then they take turns, so that what the
 * machine does besides hits all of them alike.
 * @throws LabError `cancelled`; what a contender throws becomes its row
 */
export async function runCase(
  of: Case,
  contenderRunners: readonly ContenderRunner[],
  suite: Suite,
  dependencies: BenchmarkDependencies,
  lead: Lead,
): Promise<Measurement[]> {
  const referee = await Referee.open(of, dependencies, lead.signal)
  const contest = new Contest(of, referee, contenderRunners, suite, lead)
  try {
    await contest.verify()
    await contest.warmUp()
    await contest.measure()
    return contest.rows()
  } finally {
    await contest.close()
    referee.close()
  }
}

interface TimedRun {
  readonly done: WholeRun
  readonly ms: number
}

class Contest {
  readonly #of: Case
  readonly #referee: Referee
  readonly #suite: Suite
  readonly #lead: Lead
  readonly #slices: Slices
  readonly #tallies: readonly Tally[]
  readonly #starts = new Map<Tally, Awaited<ReturnType<Referee['checkStart']>>>()

  constructor(
    of: Case,
    referee: Referee,
    contenderRunners: readonly ContenderRunner[],
    suite: Suite,
    lead: Lead,
  ) {
    this.#of = of
    this.#referee = referee
    this.#suite = suite
    this.#lead = lead
    this.#slices = new Slices(lead.signal)
    this.#tallies = contenderRunners.map((contenderRunner) => new Tally(contenderRunner, of.config))
  }

  /** One step of each contender, before anything of it is timed; what is compiled once is compiled here. */
  async verify(): Promise<void> {
    for (const tally of this.#tallies) {
      await this.#guarded(tally, 'verifying', async (contenderRunner) => {
        this.#starts.set(tally, await this.#referee.checkStart(contenderRunner, this.#lead.signal))
      })
    }
  }

  async warmUp(): Promise<void> {
    for (const tally of this.#tallies) {
      const { warmup } = this.#workOf(tally)
      for (let round = 0; round < warmup; round++) {
        await this.#run(tally, 'warming-up', 'total')
      }
    }
  }

  /** Rounds of all contenders; under a finer timing each is followed by an instrumented one. */
  async measure(): Promise<void> {
    const { repeats, timing } = this.#suite
    for (let round = 0; round < repeats; round++) {
      const inTurn = rotated(this.#tallies, round).filter((tally) => round < this.#workOf(tally).repeats)
      for (const tally of inTurn) {
        const run = await this.#run(tally, 'measuring', 'total')
        if (run !== null) tally.count(run)
      }
      if (timing === 'total') continue
      for (const tally of inTurn) {
        if (!tally.contenderRunner.hasPhases) continue
        const run = await this.#run(tally, 'measuring', timing)
        if (run !== null) tally.addFine(run)
      }
    }
  }

  /** Runs of a cell: fewer than those of the suite where it would take longer than it may. */
  #workOf({ contenderRunner }: Tally): Pick<Suite, 'warmup' | 'repeats'> {
    return contenderRunner.cell.shortened ?? this.#suite
  }

  rows(): Measurement[] {
    return this.#tallies.map((tally) => tally.row())
  }

  async close(): Promise<void> {
    for (const { contenderRunner } of this.#tallies) await contenderRunner.close()
  }

  /** The first run of a contender is looked at as soon as it is there; what counts later must be the same again. */
  async #run(tally: Tally, stage: Stage, timing: TimingLevel): Promise<WholeRun | null> {
    let run: WholeRun | null = null
    await this.#guarded(tally, stage, async (contenderRunner) => {
      const { done, ms } = await this.#timed(contenderRunner, stage, timing)
      this.#lead.progress.ran(contenderRunner.cell, ms)
      if (tally.verification === null) await this.#check(tally, done)
      else if (timing === 'total') tally.compare(done)
      run = done
    })
    return run
  }

  /** A run that counts is made alone; the warm-up need not be. One that the machine slept through is made again. */
  async #timed(contenderRunner: ContenderRunner, stage: Stage, timing: TimingLevel): Promise<TimedRun> {
    const { exclusive, signal } = this.#lead
    const work = async () => {
      const began = performance.now()
      const done = await contenderRunner.run(timing, signal)
      return { done, ms: performance.now() - began }
    }
    for (;;) {
      await systemSleep.over(signal)
      const night = systemSleep.watch()
      try {
        const run = await (stage === 'measuring' ? exclusive(work) : work())
        if (!night.slept()) return run
      } catch (error) {
        // Devices may be lost in the sleep; the next run opens them anew.
        if (!night.slept() || signal.aborted) throw error
      }
    }
  }

  async #check(tally: Tally, run: WholeRun): Promise<void> {
    const start = this.#starts.get(tally) ?? { wrong: null, labelsChecked: 0 }
    const { signal } = this.#lead
    tally.verified(run, await this.#referee.checkEnd(tally.contenderRunner, run, start, signal))
    if (tally.verification?.agrees !== true) return
    const { points } = this.#of.data
    const { labels, centroids, iterations } = run
    const { inertia } = await finalPass(points, centroids, labels, signal)
    tally.inertia ??= toScaledSquare(inertia, points.exponent)
    const result = { n: points.n, d: points.d, iterations, labels, centroids, inertia }
    tally.resultSha256 = await resultHash(result, signal)
  }

  /** A piece of a contender's work; what it throws ends that contender and no other. */
  async #guarded(
    tally: Tally,
    stage: Stage,
    work: (contenderRunner: ContenderRunner) => Promise<void>,
  ): Promise<void> {
    const { signal, progress, turn, mark } = this.#lead
    if (!tally.isOn) return
    await this.#slices.next()
    await turn()
    throwIfAborted(signal)
    const { cell } = tally.contenderRunner
    progress.at(cell, stage)
    mark(cell)
    try {
      await work(tally.contenderRunner)
    } catch (error) {
      throwIfAborted(signal)
      tally.fail(error)
      progress.finished(cell)
    }
  }
}
