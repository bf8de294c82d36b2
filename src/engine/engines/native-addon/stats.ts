import type { IterationStats } from '../engine'
import type { NativeAdvance } from '../native'

/** Order of a row in NativeAdvance.stats, as kernels/binding/answers.cpp writes it. */
export const statFields = [
  'iteration',
  'inertia',
  'shiftSquared',
  'maxShift',
  'maxCoordinateShift',
  'changed',
  'emptyClusters',
  'assignMs',
  'updateMs',
  'convergeMs',
  'iterateMs',
  'totalMs',
] as const

/** Rows of numbers as iterations. Only the last of an answer can have met the rule. */
export function iterationsOf(
  { stats, stopped, centroids }: NativeAdvance,
  tracked: boolean,
): IterationStats[] {
  const fields = statFields.length
  const count = stats.length / fields
  const size = centroids.length / count
  const done = new Array<IterationStats>(count)
  for (let row = 0; row < count; row++) {
    const at = row * fields
    done[row] = {
      iteration: stats[at],
      inertia: counted(stats[at + 1]),
      shiftSquared: stats[at + 2],
      maxShift: stats[at + 3],
      maxCoordinateShift: stats[at + 4],
      changed: counted(stats[at + 5]),
      emptyClusters: stats[at + 6],
      assignMs: counted(stats[at + 7]),
      updateMs: counted(stats[at + 8]),
      convergeMs: counted(stats[at + 9]),
      iterateMs: counted(stats[at + 10]),
      totalMs: counted(stats[at + 11]),
      stop: stopped && row === count - 1,
      centroids: tracked ? centroids.slice(row * size, (row + 1) * size) : null,
    }
  }
  return done
}

function counted(value: number): number | null {
  return value < 0 ? null : value
}
