import { significant } from '@shared/benchmark/significant'
import { countCell, countColumn, numberCell, textCell, textColumn, type Table } from '@shared/benchmark/table'
import type { RunRecord } from '@shared/run-record'
import { rankedFeatures } from '../../quality/profiles'
import type { Judgement } from './content'

/** Features that are named for each cluster. */
const named = 3
/** Below this a difference is small (Cohen 1988). */
const smallDifference = 0.2

/** Size, spread, silhouette and neighbour of each cluster, and what sets it apart. */
export function clusterTable({ clusters, n, d, k, features }: RunRecord, judgement: Judgement): Table {
  const { silhouettes, nearest, profiles } = judgement
  const { difference, mean } = profiles.clusters
  const ranked = rankedFeatures(difference, d)
  const apart = (cluster: number) =>
    Array.from(ranked.subarray(cluster * d, cluster * d + named))
      .filter((j) => Math.abs(difference[cluster * d + j]) >= smallDifference)
      .map((j) => {
        const at = cluster * d + j
        const by = difference[at] < 0 ? 'lower' : 'higher'
        return `${features[j].name} ${significant(mean[at])}, ${sizeOf(difference[at])} ${by}`
      })
      .join('; ')
  return {
    title: 'Clusters',
    columns: [
      ...['cluster', 'rows', 'share (%)', 'inertia'].map(countColumn),
      ...(silhouettes === null ? [] : [countColumn('silhouette')]),
      countColumn('nearest cluster'),
      textColumn('what sets it apart: mean, and standard deviations from the others'),
    ],
    rows: clusters
      .slice(0, k)
      .map(({ cluster, size, inertia }) => [
        countCell(cluster),
        countCell(size),
        numberCell((100 * size) / n),
        numberCell(inertia),
        ...(silhouettes === null ? [] : [numberCell(silhouettes.clusters[cluster]?.mean ?? null)]),
        nearest[cluster] < 0 ? textCell('–') : countCell(nearest[cluster]),
        textCell(size === 0 ? 'no rows' : apart(cluster) || 'hardly differs from the others'),
      ]),
    notes: [
      'Inertia is in units of the scaled data. Differences are standardised (Cohen’s d) and at least 0.2.',
    ],
  }
}

function sizeOf(difference: number): string {
  return Number.isFinite(difference) ? `${Math.abs(difference).toFixed(1)} sd` : 'without overlap'
}
