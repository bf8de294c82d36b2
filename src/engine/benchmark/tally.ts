import type {
  CellState,
  IterationTime,
  Measurement,
  PlannedCell,
  Verification,
} from '@shared/benchmark/document'
import { medianOf } from '@shared/benchmark/statistics'
import { LabError, toErrorReport } from '@shared/errors'
import type { PhaseTimings } from '@shared/run-record'
import type { SessionPlan } from '../engines/engine'
import type { ContenderRunner, WholeRun } from './contender-runner'
import { meanIterations, meanPhases } from './mean-times'
import { sameNumbers } from './exactness'

/** A row of a cell of which there are no times. */
export function rowWithout(
  cell: PlannedCell,
  state: Exclude<CellState, 'measured' | 'disagrees'>,
  reason: string,
): Measurement {
  return { ...cell, ...nothing, state, reason, deterministic: false }
}

const nothing = {
  ...{ regime: null, regimeReason: null, phasesRegime: null },
  iterations: 0,
  inertia: null,
  totalsMs: [],
  perIterationMs: null,
  phases: null,
  iterationTimes: [],
  hostDeviceBytesPerIteration: null,
  verification: null,
}

/** What is known of one contender of a case so far. */
export class Tally {
  readonly contenderRunner: ContenderRunner
  /** Of a run whose contender does not tell its own. */
  inertia: number | null = null
  readonly #totalsMs: number[] = []
  readonly #perIterationMs: number[] = []
  readonly #totalPhases: PhaseTimings[] = []
  readonly #finePhases: PhaseTimings[] = []
  readonly #iterationTimes: (readonly IterationTime[])[] = []
  #verification: Verification | null = null
  #verifiedRun: Pick<WholeRun, 'iterations' | 'centroids'> | null = null
  #iterations = 0
  #bytes: number | null = null
  #plan: SessionPlan | null = null
  #finePlan: SessionPlan | null = null
  #end: { readonly state: 'skipped' | 'failed'; readonly reason: string } | null = null

  constructor(contenderRunner: ContenderRunner) {
    this.contenderRunner = contenderRunner
  }

  /** Whether it still takes part. */
  get isOn(): boolean {
    return this.#end === null
  }

  get verification(): Verification | null {
    return this.#verification
  }

  /** What the check of a run gave: it holds for those after it as long as they end alike. */
  verified({ iterations, centroids }: WholeRun, verification: Verification): void {
    this.#verification = verification
    this.#verifiedRun = { iterations, centroids }
  }

  /** A contender that is the same bytes always by its own word loses its agreement when a run is not. */
  compare({ iterations, centroids }: WholeRun): void {
    const first = this.#verifiedRun
    if (first === null || this.#verification?.agrees !== true || !this.contenderRunner.deterministic) return
    if (iterations === first.iterations && sameNumbers(centroids, first.centroids)) return
    const reason = 'A later run from the same start gave a different result.'
    this.#verification = { ...this.#verification, agrees: false, reason }
  }

  /** A run that counts. */
  count(run: WholeRun): void {
    this.#totalsMs.push(run.totalMs)
    if (run.iteratingMs !== null) this.#perIterationMs.push(run.iteratingMs / Math.max(1, run.iterations))
    if (run.phases !== null) this.#totalPhases.push(run.phases)
    this.#iterations = run.iterations
    this.inertia = run.inertia ?? this.inertia
    this.#bytes = run.hostDeviceBytesPerIteration
    this.#plan = run.plan
  }

  /** A run with finer timing: of it only the parts are reported. */
  addFine(run: WholeRun): void {
    if (run.phases !== null) this.#finePhases.push(run.phases)
    this.#finePlan = run.plan
    this.#iterationTimes.push(run.iterationTimes)
  }

  /** It takes no further part: an engine's refusal of the size is no failure. */
  fail(error: unknown): void {
    const refused = error instanceof LabError && error.kind === 'input'
    this.#end = { state: refused ? 'skipped' : 'failed', reason: toErrorReport(error).message }
  }

  row(): Measurement {
    const { cell, deterministic, precision } = this.contenderRunner
    if (this.#end !== null) {
      return { ...rowWithout(cell, this.#end.state, this.#end.reason), deterministic, precision }
    }
    const { verification } = this
    const agrees = verification?.agrees ?? false
    return {
      ...cell,
      state: agrees ? 'measured' : 'disagrees',
      reason: agrees ? null : (verification?.reason ?? 'Its result was not checked.'),
      deterministic,
      precision,
      regime: this.#plan?.regime ?? null,
      regimeReason: this.#plan?.reason ?? null,
      phasesRegime: (this.#finePlan ?? this.#plan)?.regime ?? null,
      iterations: this.#iterations,
      inertia: this.inertia,
      totalsMs: this.#totalsMs,
      perIterationMs: this.#perIterationMs.length > 0 ? medianOf(this.#perIterationMs) : null,
      phases: meanPhases(this.#finePhases.length > 0 ? this.#finePhases : this.#totalPhases),
      iterationTimes: meanIterations(this.#iterationTimes),
      hostDeviceBytesPerIteration: this.#bytes,
      verification,
    }
  }
}
