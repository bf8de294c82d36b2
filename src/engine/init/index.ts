import type { Coordinates } from '../engines/engine'
import { assertNever } from '@shared/assert-never'
import type { ColumnInfo } from '@shared/dataset'
import type { RunConfig } from '@shared/run-config'
import type { PreparedPoints } from '../dataset/prepared'
import { orAborted, throwIfAborted } from '../slices'
import { centroidsFromFile } from './file'
import { firstK } from './first-k'
import { kMeansParallel } from './k-means-parallel'
import { kMeansPlusPlus } from './k-means-plus-plus'
import type { SeedingProvider, SeedingState } from './kernel'
import { randomRows } from './random'
import { boxOf, randomBox } from './random-box'
import { takeRowsOfAll } from './rows'

export type SeedingConfig = Pick<RunConfig, 'init' | 'k' | 'centroidsFile'> & {
  readonly features: readonly ColumnInfo[]
}

/**
 * The initial centroids of one restart, (k, d) engine units, in the precision of the points. The same points, configuration and seed
 * give the same bytes, whichever kernel does the work. Needs k <= n.
 * @throws LabError `cancelled` when the signal aborts, `input` for a centroid file that does not fit.
 */
export async function seed(
  points: PreparedPoints,
  config: SeedingConfig,
  seedValue: number,
  kernel: SeedingProvider,
  signal: AbortSignal,
): Promise<Coordinates> {
  const { init, k } = config
  switch (init) {
    case 'first-k':
      return takeRowsOfAll(points, firstK(k))
    case 'random':
      return takeRowsOfAll(points, randomRows(points.n, k, seedValue))
    case 'random-box':
      return randomBox(await boxOf(points, signal), k, seedValue)
    case 'k-means++':
      return takeRowsOfAll(points, await chooseRows(points, k, seedValue, kernel, signal))
    case 'k-means||':
      return takeRowsOfAll(
        points,
        await withState(points, kernel, signal, (state) =>
          kMeansParallel(points, state, k, seedValue, signal),
        ),
      )
    case 'file':
      return centroidsFromFile(points, config.features, config.centroidsFile, k)
    default:
      return assertNever(init, 'init')
  }
}

/** The rows that k-means++ takes as centroids, in the order in which they are chosen. @throws LabError `cancelled` */
export function chooseRows(
  points: PreparedPoints,
  k: number,
  seedValue: number,
  kernel: SeedingProvider,
  signal: AbortSignal,
): Promise<Int32Array> {
  return withState(points, kernel, signal, (state) =>
    kMeansPlusPlus(state, points.n, k, seedValue, () => throwIfAborted(signal)),
  )
}

/** Closes the kernel's state when its last work has ended, or at an abort, which ends that work soon. */
async function withState(
  points: PreparedPoints,
  kernel: SeedingProvider,
  signal: AbortSignal,
  rowsFrom: (state: SeedingState) => Promise<Int32Array>,
): Promise<Int32Array> {
  throwIfAborted(signal)
  const opening = Promise.resolve(kernel.open(points.x, points.n, points.d))
  const state = await orAborted(opening, signal).catch((error: unknown) => {
    // What opens behind an abort is of no use to anybody.
    opening.then((late) => late.close()).catch(() => undefined)
    throw error
  })
  const close = () => state.close()
  signal.addEventListener('abort', close, { once: true })
  const work = rowsFrom(state).finally(() => {
    signal.removeEventListener('abort', close)
    close()
  })
  return orAborted(work, signal)
}
