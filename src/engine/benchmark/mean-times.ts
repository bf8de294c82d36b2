import type { IterationTime } from '@shared/benchmark/document'
import type { PhaseTimings } from '@shared/run-record'

const phaseNames = [
  ...(['loadMs', 'uploadMs', 'initMs', 'assignMs', 'updateMs', 'convergeMs', 'iterateMs'] as const),
  ...(['downloadMs', 'otherMs', 'totalMs'] as const),
]
const iterationNames = ['assignMs', 'updateMs', 'convergeMs', 'iterateMs', 'totalMs'] as const

/** Mean of each phase; null when there is no run. */
export function meanPhases(runs: readonly PhaseTimings[]): PhaseTimings | null {
  return runs.length === 0 ? null : means(runs, phaseNames)
}

/** Mean of each iteration over the runs that had it. */
export function meanIterations(runs: readonly (readonly IterationTime[])[]): IterationTime[] {
  const longest = runs.reduce<readonly IterationTime[]>(
    (most, run) => (run.length > most.length ? run : most),
    [],
  )
  return longest.map(({ iteration }, at) => {
    const same = runs.flatMap((run) => (at < run.length ? [run[at]] : []))
    return { iteration, ...means(same, iterationNames) }
  })
}

/** Null where any of the runs does not know. */
function means<Name extends string, Row extends Readonly<Record<Name, number | null>>>(
  rows: readonly Row[],
  names: readonly Name[],
): Pick<Row, Name> {
  const meanOf = (name: Name) => {
    const values = rows.map((row) => row[name])
    const known = values.filter((value) => value !== null)
    return known.length < values.length ? null : known.reduce((sum, ms) => sum + ms, 0) / values.length
  }
  return Object.fromEntries(names.map((name) => [name, meanOf(name)])) as Pick<Row, Name>
}
