import type { CellKey, PlannedCell } from '@shared/benchmark/document'
import type { BenchmarkEvent } from '@shared/benchmark/requests'
import type { Suite } from '@shared/benchmark/suite'
import { runsOf } from './predict'

/** Events go out at most this often. */
const eventMs = 100

type ProgressEvent = Extract<BenchmarkEvent, { kind: 'progress' }>
export type Stage = ProgressEvent['stage']

/** What is known of a cell's pace. */
interface Pace {
  readonly cell: PlannedCell
  readonly runs: number
  runsDone: number
  /** Wall time of the runs done, whatever they were. */
  ms: number
}

export function sameCell(a: CellKey, b: CellKey): boolean {
  return a.dataset === b.dataset && a.k === b.k && a.contender === b.contender
}

/** How far a comparison is, and how long it will take: by the runs measured so far, else by the plan. */
export class Progress {
  readonly #benchId: string
  readonly #paces: readonly Pace[]
  readonly #report: (event: BenchmarkEvent) => void
  readonly #began = performance.now()
  #last = Number.NEGATIVE_INFINITY

  /** @param finished cells of which an earlier process has the rows */
  constructor(
    benchId: string,
    suite: Suite,
    plan: readonly PlannedCell[],
    finished: readonly CellKey[],
    report: (event: BenchmarkEvent) => void,
  ) {
    this.#benchId = benchId
    this.#report = report
    this.#paces = plan
      .filter(({ skipped }) => skipped === null)
      .map((cell) => {
        const runs = runsOf(suite, cell)
        return { cell, runs, ms: 0, runsDone: isIn(finished, cell) ? runs : 0 }
      })
  }

  /** A cell's next piece of work begins. */
  at(cell: CellKey, stage: Stage): void {
    const now = performance.now()
    if (now - this.#last < eventMs) return
    this.#last = now
    const { dataset, k, contender } = cell
    this.#report({
      kind: 'progress',
      benchId: this.#benchId,
      cell: { dataset, k, contender },
      stage,
      runsDone: this.#paces.reduce((sum, { runsDone }) => sum + runsDone, 0),
      runs: this.#paces.reduce((sum, { runs }) => sum + runs, 0),
      elapsedMs: now - this.#began,
      remainingMs: this.remainingMs(),
    })
  }

  /** A run of a cell ended. */
  ran(cell: CellKey, ms: number): void {
    const pace = this.#paceOf(cell)
    if (pace === undefined) return
    pace.runsDone++
    pace.ms += ms
  }

  /** Nothing more comes of a cell. */
  finished(cell: CellKey): void {
    const pace = this.#paceOf(cell)
    if (pace !== undefined) pace.runsDone = pace.runs
  }

  /** Null while nothing is known of a cell that is still to come. */
  remainingMs(): number | null {
    const truth = this.#measuredShare()
    let sum = 0
    for (const pace of this.#paces) {
      const left = Math.max(0, pace.runs - pace.runsDone)
      const runMs = pace.ms > 0 ? pace.ms / pace.runsDone : this.#predicted(pace, truth)
      if (left > 0 && runMs === null) return null
      sum += left * (runMs ?? 0)
    }
    return sum
  }

  /** How the plan's times proved true so far, as a factor. */
  #measuredShare(): number {
    const known = this.#paces.filter(({ ms, cell }) => ms > 0 && cell.predictedMs !== null)
    const measured = known.reduce((sum, { ms }) => sum + ms, 0)
    const predicted = known.reduce((sum, pace) => sum + pace.runsDone * (this.#predicted(pace, 1) ?? 0), 0)
    return predicted > 0 ? measured / predicted : 1
  }

  #predicted({ cell, runs }: Pace, truth: number): number | null {
    return cell.predictedMs === null ? null : (cell.predictedMs / runs) * truth
  }

  #paceOf(cell: CellKey): Pace | undefined {
    return this.#paces.find((pace) => sameCell(pace.cell, cell))
  }
}

function isIn(cells: readonly CellKey[], cell: CellKey): boolean {
  return cells.some((other) => sameCell(other, cell))
}
