import type { IterationTime } from '@shared/benchmark/document'
import { meanOf } from '@shared/benchmark/statistics'
import type { PhaseTimings } from '@shared/run-record'

/** Mean of each phase; null when there is no run. */
export function meanPhases(runs: readonly PhaseTimings[]): PhaseTimings | null {
  if (runs.length === 0) return null
  const mean = (of: (run: PhaseTimings) => number) => meanOf(runs.map(of))
  const known = (of: (run: PhaseTimings) => number | null) => knownMeanOf(runs.map(of))
  return {
    loadMs: mean(({ loadMs }) => loadMs),
    uploadMs: mean(({ uploadMs }) => uploadMs),
    initMs: mean(({ initMs }) => initMs),
    assignMs: known(({ assignMs }) => assignMs),
    updateMs: known(({ updateMs }) => updateMs),
    convergeMs: known(({ convergeMs }) => convergeMs),
    iterateMs: known(({ iterateMs }) => iterateMs),
    downloadMs: mean(({ downloadMs }) => downloadMs),
    otherMs: mean(({ otherMs }) => otherMs),
    totalMs: mean(({ totalMs }) => totalMs),
  }
}

/** Mean of each iteration over the runs that had it. */
export function meanIterations(runs: readonly (readonly IterationTime[])[]): IterationTime[] {
  const longest = runs.reduce<readonly IterationTime[]>(
    (most, run) => (run.length > most.length ? run : most),
    [],
  )
  return longest.map(({ iteration }, at) => {
    const same = runs.flatMap((run) => (at < run.length ? [run[at]] : []))
    const known = (of: (time: IterationTime) => number | null) => knownMeanOf(same.map(of))
    return {
      iteration,
      assignMs: known(({ assignMs }) => assignMs),
      updateMs: known(({ updateMs }) => updateMs),
      convergeMs: known(({ convergeMs }) => convergeMs),
      iterateMs: known(({ iterateMs }) => iterateMs),
      totalMs: known(({ totalMs }) => totalMs),
    }
  })
}

/** Null where any of the runs does not know. */
function knownMeanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : meanOf(known)
}
