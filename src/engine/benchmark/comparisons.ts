import { withRows } from '@shared/benchmark/cells'
import type { BenchmarkDocument, CellKey, KeptComparisons } from '@shared/benchmark/document'
import type { BenchmarkEvent, Plan } from '@shared/benchmark/requests'
import type { Suite } from '@shared/benchmark/suite'
import { cancelled, LabError, toErrorReport } from '@shared/errors'
import { hashed, type Dataset } from '../dataset/dataset'
import { orAborted } from '../slices'
import { Gate } from './gate'
import type { Journal } from './journal'
import { openedAgain, withLoadedFiles } from './loaded-files'
import { withDataWarnings } from './data-warnings'
import { newDocument } from './new-document'
import { planSuite } from './plan'
import { sameCell } from './progress'
import { TimingLock } from './timing-lock'
import { runBenchmark } from './run-benchmark'
import type { BenchmarkDependencies, Watch } from './dependencies'
import { rowWithout } from './tally'

/** A comparison at work. */
interface Running {
  readonly id: string
  readonly controller: AbortController
  readonly gate: Gate
  document: BenchmarkDocument
  /** It was paused and another begins: its end is no end, it stays paused. */
  isLaidAside: boolean
  /** Settles when it has ended, however. */
  ended: Promise<void>
}

/** A contender that was at work when the process ended this often in a row is not tried again. */
export const maxDeaths = 2

/** The comparisons of a host: one at a time, kept in a journal, each led from its start to its end. */
export class Comparisons {
  readonly #journal: Journal
  readonly #dependencies: BenchmarkDependencies
  readonly #report: (event: BenchmarkEvent) => void
  #running: Running | null = null
  #isBeginning = false
  #planning: AbortController | null = null
  #newestPlan: { readonly key: string; readonly plan: Plan } | null = null

  /** @param timingLock keeps its runs apart from what else the host does */
  constructor(
    journal: Journal,
    dependencies: BenchmarkDependencies,
    report: (event: BenchmarkEvent) => void,
    readonly timingLock = new TimingLock(),
  ) {
    this.#journal = journal
    this.#dependencies = dependencies
    this.#report = report
  }

  /** Whether times are being taken that other work would spoil. */
  get isMeasuring(): boolean {
    return this.#isBeginning || (this.#running !== null && !this.#running.gate.isHolding)
  }

  /** A newer plan gives up an older one. @throws LabError `cancelled` */
  async plan(suite: Suite): Promise<Plan> {
    this.#requireIdle()
    this.#planning?.abort()
    const controller = new AbortController()
    this.#planning = controller
    try {
      const plan = await planSuite(suite, this.#dependencies, controller.signal)
      if (controller.signal.aborted) throw cancelled()
      this.#newestPlan = { key: JSON.stringify(suite), plan }
      return plan
    } finally {
      if (this.#planning === controller) this.#planning = null
    }
  }

  /** A file that cannot be hashed any more is none that is known. */
  async #allLoaded(): Promise<readonly Dataset[]> {
    const all = this.#dependencies.allLoaded()
    await Promise.allSettled(all.map(hashed))
    return all
  }

  /** One that is paused makes room and stays kept as paused. @throws LabError `bench.busy` */
  async start(suite: Suite): Promise<string> {
    this.#requireIdle()
    const known = this.#newestPlan
    const plan = known?.key === JSON.stringify(suite) ? known.plan.cells : []
    return this.#beginning(async () => {
      const document = withLoadedFiles(await newDocument(suite, plan), await this.#allLoaded())
      await this.#begin(await withDataWarnings(document, this.#dependencies.datasets), 0, null)
      return document.id
    })
  }

  /** Takes effect after the run that is under way. @throws LabError `bench.not-running` */
  pause(id: string): void {
    this.#current(id).gate.close()
  }

  /**
   * Goes on after a pause, or with what is missing of one that ended early.
   * @throws LabError `bench.unknown`, `bench.busy`, `bench.complete`; `dataset.unknown` when its file is not open,
   * which leaves the comparison as it was
   */
  async resume(id: string): Promise<void> {
    const running = this.#running
    if (running?.id === id && !running.isLaidAside) {
      this.#planning?.abort()
      running.gate.open()
      return
    }
    this.#requireIdle()
    await this.#beginning(() => this.#goOn(id))
  }

  async #goOn(id: string): Promise<void> {
    const kept = await this.document(id)
    if (kept.state === 'done') throw complete(kept)
    const document = openedAgain(kept, await this.#allLoaded())
    const mark = await this.#journal.lastMark(id)
    // A process that ended by itself left the comparison running; its cell is suspected.
    const suspect = document.state === 'interrupted' ? (mark?.cell ?? null) : null
    const deaths = suspect === null ? 0 : (mark?.deaths ?? 0) + 1
    const cleared = suspect !== null && deaths >= maxDeaths ? withFailed(document, suspect) : document
    await this.#begin(cleared, deaths, suspect)
  }

  /** At once; a kept one that is paused, too. @throws LabError `bench.unknown`, `bench.not-running` */
  async cancel(id: string): Promise<void> {
    const running = this.#running
    if (running?.id !== id) return this.#cancelKept(id)
    running.controller.abort()
    running.gate.open()
    await running.ended
  }

  async #cancelKept(id: string): Promise<void> {
    const document = await this.document(id)
    if (document.state !== 'paused') throw notRunning()
    await this.#journal.keep({ ...document, state: 'cancelled', finishedAt: new Date().toISOString() })
  }

  async list(): Promise<KeptComparisons> {
    const documents = await this.#journal.all()
    const comparisons = documents.map((document) => {
      const { id, startedAt, state, suite, rows, plan } = this.#live(document)
      return { id, startedAt, state, name: suite.name, rows: rows.length, cells: plan.length }
    })
    return { comparisons, damaged: await this.#journal.damaged() }
  }

  /** @throws LabError `bench.unknown` */
  async document(id: string): Promise<BenchmarkDocument> {
    const document = await this.#journal.get(id)
    if (document !== null) return this.#live(document)
    throw new LabError(
      'input',
      'bench.unknown',
      'This comparison is no longer kept: choose another, or measure it again.',
    )
  }

  /** A running one is cancelled first. */
  async forget(id: string): Promise<void> {
    if (this.#running?.id === id) await this.cancel(id)
    await this.#journal.forget(id)
  }

  /** The process ends on purpose: no cell is suspected of having ended it. */
  leave(): void {
    if (this.#running !== null) this.#journal.unmark(this.#running.id)
  }

  #live(document: BenchmarkDocument): BenchmarkDocument {
    return this.#running?.id === document.id ? this.#running.document : document
  }

  /** Neither another comparison nor a clustering may begin while one looks the machine up. */
  async #beginning<T>(work: () => Promise<T>): Promise<T> {
    this.#isBeginning = true
    try {
      return await work()
    } finally {
      this.#isBeginning = false
    }
  }

  async #begin(document: BenchmarkDocument, deaths: number, suspect: CellKey | null): Promise<void> {
    this.#planning?.abort()
    await this.#layAside()
    const { id } = document
    const controller = new AbortController()
    const started: BenchmarkDocument = { ...document, state: 'running', finishedAt: null }
    const gate = new Gate((isHolding) => this.#held(running, isHolding))
    const running: Running = {
      id,
      controller,
      gate,
      document: started,
      isLaidAside: false,
      ended: Promise.resolve(),
    }
    this.#running = running
    const kept = this.#journal.keep(started)
    // Known from the first moment on: who cancels or forgets it waits for its end.
    running.ended = kept.then(() => this.#lead(running, deaths, suspect))
    await kept
  }

  /** The one that is paused, if any, leaves its place: it is resumed later as after a restart. */
  async #layAside(): Promise<void> {
    const running = this.#running
    if (running === null) return
    running.isLaidAside = true
    running.controller.abort()
    await running.ended
  }

  /** Whatever happens ends in exactly one event `done`, `cancelled` or `failed`; what is laid aside has told its pause. */
  async #lead(running: Running, deaths: number, suspect: CellKey | null): Promise<void> {
    const { id } = running
    const report = (event: BenchmarkEvent) => this.#report(event)
    let last: BenchmarkEvent | null
    try {
      running.document = await runBenchmark(
        running.document,
        this.#dependencies,
        this.#watch(running, deaths, suspect),
      )
      last = { kind: running.document.state === 'cancelled' ? 'cancelled' : 'done', benchId: id }
      if (running.isLaidAside) {
        await this.#journal.keep({ ...running.document, state: 'paused', finishedAt: null })
        last = null
      }
    } catch (error) {
      running.document = { ...running.document, state: 'interrupted' }
      await this.#journal.keep(running.document)
      last = { kind: 'failed', benchId: id, sentence: toErrorReport(error).message }
    }
    this.#journal.unmark(id)
    this.#running = null
    if (last !== null) report(last)
  }

  #watch(running: Running, deaths: number, suspect: CellKey | null): Watch {
    const { id, gate, controller } = running
    return {
      signal: controller.signal,
      turn: () => orAborted(gate.pass(), controller.signal),
      exclusive: (run) => this.timingLock.exclusive(run, controller.signal),
      report: (event) => this.#report(event),
      mark: (cell) => {
        const again = cell !== null && suspect !== null && sameCell(cell, suspect)
        this.#journal.mark(id, { cell, deaths: again ? deaths : 0 })
      },
      keep: async (document, isDue) => {
        const state = gate.isHolding ? 'paused' : document.state
        running.document = { ...document, state }
        if (isDue) await this.#journal.keep(running.document)
      },
    }
  }

  /** The comparison has come to rest, or goes on. */
  #held(running: Running, isHolding: boolean): void {
    running.document = { ...running.document, state: isHolding ? 'paused' : 'running' }
    void this.#journal.keep(running.document)
    if (isHolding) this.#report({ kind: 'paused', benchId: running.id })
  }

  #current(id: string): Running {
    if (this.#running?.id === id) return this.#running
    throw notRunning()
  }

  /** What is paused is in nobody's way. */
  #requireIdle(): void {
    if (!this.isMeasuring) return
    throw new LabError(
      'input',
      'bench.busy',
      'Another comparison is being measured: wait for its end, or cancel it first.',
    )
  }
}

/** With a failed row for the cell that ended the process again and again. */
export function withFailed(document: BenchmarkDocument, suspect: CellKey): BenchmarkDocument {
  const cell = document.plan.find((planned) => sameCell(planned, suspect))
  if (cell === undefined || document.rows.some((row) => sameCell(row, suspect))) return document
  const reason = `The engine process ended while it ran ${cell.contender}, twice in a row: choose another variant or fewer points.`
  return { ...document, rows: withRows(document, [rowWithout(cell, 'failed', reason)]) }
}

function notRunning(): LabError {
  return new LabError('input', 'bench.not-running', 'This comparison is not running: resume it first.')
}

function complete({ suite }: BenchmarkDocument): LabError {
  return new LabError(
    'input',
    'bench.complete',
    `The comparison '${suite.name}' is complete: start a new one.`,
  )
}
