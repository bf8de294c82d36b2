import { significant } from '@shared/benchmark/significant'
import { countCell, countColumn, numberCell, textCell, textColumn, type Table } from '@shared/benchmark/table'
import { apartWords, setApart, smallDifference } from '@shared/distinctive'
import type { RunRecord } from '@shared/run-record'
import { rankedFeatures } from '../../quality/profiles'
import type { Judgement } from './content'

/** Size, spread, silhouette and neighbour of each cluster, and what sets it apart. */
export function clusterTable({ clusters, n, d, k, features }: RunRecord, judgement: Judgement): Table {
  const { silhouettes, nearest, profiles } = judgement
  const { difference, mean } = profiles.clusters
  const ranked = rankedFeatures(difference, d)
  const apart = (cluster: number) => {
    const own = Array.from(ranked.subarray(cluster * d, (cluster + 1) * d), (j) => {
      const at = cluster * d + j
      return { name: features[j].name, mean: mean[at], difference: difference[at] }
    })
    return setApart(own)
      .map((one) => `${one.name} ${significant(one.mean)}, ${apartWords(one.difference)}`)
      .join('; ')
  }
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
      `Inertia is in units of the scaled data. Differences are standardised (Cohen’s d) and at least ${smallDifference}.`,
    ],
  }
}
