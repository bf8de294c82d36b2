/** Silhouettes as they are fetched, part by part, so that no turn of the window is long. */
import { ask, ifWanted } from '@/api'
import { SilhouetteCounter } from '@/plots/profile/silhouette-curve'

/** Rows counted in one turn: about a millisecond. */
const countedAtOnce = 1 << 16

/** Silhouettes of all rows, counted by cluster as they come; null when no longer wanted. */
export async function silhouetteCurves(
  runId: string,
  k: number,
  rows: number,
  wanted: () => boolean,
): Promise<SilhouetteCounter | null> {
  const counter = new SilhouetteCounter(k)
  for (let start = 0; start < rows; start += countedAtOnce) {
    const part = { runId, start, count: Math.min(countedAtOnce, rows - start) }
    const values = await ifWanted(ask('run.silhouette-values', part), wanted)
    const labels = values && (await ifWanted(ask('run.labels', part), wanted))
    if (!values || !labels) return null
    counter.add(values.values, labels.labels)
  }
  return counter
}
