import { approximateSentence } from '@shared/approximate'
import type {
  CellState,
  IterationTime,
  Measurement,
  PlannedCell,
  Verification,
} from '@shared/benchmark/document'
import { medianOf } from '@shared/benchmark/statistics'
import type { SuiteConfig } from '@shared/benchmark/suite'
import { LabError, toErrorReport } from '@shared/errors'
import type { SessionPlan } from '../engines/engine'
import type { ContenderRunner, WholeRun } from './contender-runner'
import { endedCode } from './limited-runner'
import { meanIterations, meanPhases } from './mean-times'
import { sameNumbers } from './exactness'
import { isCut, scaledPhases, scaledTotalMs } from './scale-run'

/** A row of a cell of which there are no times. */
export function rowWithout(
  cell: PlannedCell,
  state: Exclude<CellState, 'measured' | 'approximate' | 'disagrees'>,
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
  readonly #config: Pick<SuiteConfig, 'maxIterations'>
  /** Of a run whose contender does not tell its own. */
  inertia: number | null = null
  /** Of the run that was checked; those after it are the same bytes, or it does not agree. */
  resultSha256: string | null = null
  readonly #counted: TimedRun[] = []
  readonly #fine: TimedRun[] = []
  readonly #iterationTimes: (readonly IterationTime[])[] = []
  #verification: Verification | null = null
  #stillFrom: number | null = null
  #verifiedRun: Pick<WholeRun, 'iterations' | 'centroids'> | null = null
  #bytes: number | null = null
  #plan: SessionPlan | null = null
  #finePlan: SessionPlan | null = null
  #isOn = true
  #end: { readonly state: 'skipped' | 'failed'; readonly reason: string } | null = null

  /** @param config what is asked of every contender; a cell may be given fewer iterations */
  constructor(contenderRunner: ContenderRunner, config: Pick<SuiteConfig, 'maxIterations'>) {
    this.contenderRunner = contenderRunner
    this.#config = config
  }

  /** Whether it still takes part. */
  get isOn(): boolean {
    return this.#isOn
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
    this.#counted.push(timedPart(run))
    this.inertia = run.inertia ?? this.inertia
    this.#bytes = run.hostDeviceBytesPerIteration
    this.#plan = run.plan
    this.#stillFrom = run.stillFrom
  }

  /** A run with finer timing: of it only the parts are reported. */
  addFine(run: WholeRun): void {
    this.#fine.push(timedPart(run))
    this.#finePlan = run.plan
    this.#iterationTimes.push(run.iterationTimes)
  }

  /** It takes no further part: an engine's refusal of the size is no failure. */
  fail(error: unknown): void {
    this.#isOn = false
    // What counted before the limit of the cell was passed counts still.
    if (error instanceof LabError && error.code === endedCode && this.#counted.length > 0) return
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
      state: stateOf(verification),
      reason: agrees ? null : (verification?.reason ?? 'Its result was not checked.'),
      deterministic,
      precision,
      regime: this.#plan?.regime ?? null,
      regimeReason: this.#plan?.reason ?? null,
      phasesRegime: (this.#finePlan ?? this.#plan)?.regime ?? null,
      ...this.#times(),
      ...(this.#stillFrom !== null && { stillFrom: this.#stillFrom }),
      perIterationMs: medianPerIteration(this.#counted),
      iterationTimes: meanIterations(this.#iterationTimes),
      hostDeviceBytesPerIteration: this.#bytes,
      verification,
    }
  }

  /** As measured; of fewer iterations than were asked for, scaled to these. */
  #times(): Pick<
    Measurement,
    'iterations' | 'inertia' | 'resultSha256' | 'totalsMs' | 'phases' | 'scaledFrom'
  > {
    const counted = this.#counted
    const made = counted.at(-1)?.iterations ?? 0
    const totalsMs = counted.map(({ totalMs }) => totalMs)
    const timed = this.#fine.some(({ phases }) => phases !== null) ? this.#fine : counted
    const phases = meanPhases(timed.flatMap((run) => run.phases ?? []))
    const { maxIterations } = this.#config
    const { cell } = this.contenderRunner
    if (made === 0 || !counted.every((run) => isCut(cell, run, this.#config))) {
      const hash = this.resultSha256
      return {
        ...{ iterations: made, inertia: this.inertia, totalsMs, phases },
        ...(hash !== null && this.contenderRunner.deterministic && { resultSha256: hash }),
      }
    }
    const scaled = timed.flatMap((run) =>
      run.phases === null ? [] : [scaledPhases(run.phases, run, maxIterations)],
    )
    return {
      iterations: maxIterations,
      inertia: null,
      totalsMs: counted.map((run) => scaledTotalMs(run, maxIterations)),
      phases: meanPhases(scaled),
      scaledFrom: { iterations: made, totalsMs, phases },
    }
  }
}

function stateOf(verification: Verification | null): CellState {
  if (verification?.agrees === true) return 'measured'
  return verification?.reason === approximateSentence() ? 'approximate' : 'disagrees'
}

type TimedRun = Pick<WholeRun, 'iterations' | 'totalMs' | 'iteratingMs' | 'phases'>

/** Without labels and centroids, which take memory. */
function timedPart({ iterations, totalMs, iteratingMs, phases }: WholeRun): TimedRun {
  return { iterations, totalMs, iteratingMs, phases }
}

/** Milliseconds; null where iterations are not known apart. */
function medianPerIteration(runs: readonly TimedRun[]): number | null {
  const known = runs.flatMap(({ iteratingMs, iterations }) =>
    iteratingMs === null ? [] : [iteratingMs / Math.max(1, iterations)],
  )
  return known.length > 0 ? medianOf(known) : null
}
