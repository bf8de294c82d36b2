import type { PlannedCell } from '@shared/benchmark/document'
import type { SuiteConfig } from '@shared/benchmark/suite'
import type { PhaseTimings } from '@shared/run-record'
import type { WholeRun } from './contender-runner'

type Timed = Pick<WholeRun, 'iterations' | 'totalMs' | 'iteratingMs'>

/** Whether a run was cut short by the limit of its cell: one that ended by itself is whole. */
export function isCut(
  { shortened }: Pick<PlannedCell, 'shortened'>,
  { iterations }: Pick<WholeRun, 'iterations'>,
  { maxIterations }: Pick<SuiteConfig, 'maxIterations'>,
): boolean {
  return shortened !== undefined && iterations >= shortened.iterations && iterations < maxIterations
}

/**
 * Total of a run as it would be with more iterations: what is fixed (upload, start, reading the result) once, and what an
 * iteration took for each of them. Where the two are not known apart all of it counts as iterations.
 * @param iterations that it is scaled to @returns milliseconds
 */
export function scaledTotalMs(run: Timed, iterations: number): number {
  return run.totalMs + addedMs(run, iterations)
}

/** The phases of such a run: what iterations consist of grows, all else stays; their sum grows as the total does. */
export function scaledPhases(phases: PhaseTimings, run: Timed, iterations: number): PhaseTimings {
  const { assignMs, updateMs, convergeMs, iterateMs } = phases
  const iterating = [assignMs, updateMs, convergeMs, iterateMs].reduce<number>(
    (sum, ms) => sum + (ms ?? 0),
    0,
  )
  const added = addedMs(run, iterations)
  const totalMs = phases.totalMs + added
  if (iterating === 0) return { ...phases, otherMs: phases.otherMs + added, totalMs }
  const grown = (ms: number | null) => (ms === null ? null : ms * (1 + added / iterating))
  return {
    ...phases,
    assignMs: grown(assignMs),
    updateMs: grown(updateMs),
    convergeMs: grown(convergeMs),
    iterateMs: grown(iterateMs),
    totalMs,
  }
}

/** Time of the iterations that were not made. */
function addedMs({ iterations: made, totalMs, iteratingMs }: Timed, iterations: number): number {
  return ((iteratingMs ?? totalMs) / Math.max(1, made)) * (iterations - made)
}
