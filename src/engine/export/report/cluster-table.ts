import { significant } from '@shared/benchmark/significant'
import { countCell, countColumn, numberCell, textCell, textColumn, type Table } from '@shared/benchmark/table'
import { apartWords, setApart, smallDifference } from '@shared/distinctive'
import type { RunRecord } from '@shared/run-record'
import { rankedFeatures } from '../../quality/profiles'
import type { Judgement } from './content'
import { namedCluster } from './named-cluster'
import { localNumber, t } from '@shared/locale/translate'
import type { ReportChoice } from '@shared/text-choice'

/** Size, spread, silhouette and neighbour of each cluster, and what sets it apart. */
export function clusterTable(
  { clusters, n, d, k, features }: RunRecord,
  judgement: Judgement,
  names: ReportChoice['clusterNames'],
): Table {
  const called = (cluster: number) =>
    names === undefined ? countCell(cluster) : textCell(namedCluster(cluster, names))
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
    title: t('report.clusters'),
    columns: [
      (names === undefined ? countColumn : textColumn)(t('report.clusterHead')),
      ...[t('report.rowsHead'), t('report.share'), t('report.inertiaHead')].map(countColumn),
      ...(silhouettes === null ? [] : [countColumn(t('report.silhouetteHead'))]),
      (names === undefined ? countColumn : textColumn)(t('report.nearestCluster')),
      textColumn(t('report.whatSetsItApartMeanAnd')),
    ],
    rows: clusters
      .slice(0, k)
      .map(({ cluster, size, inertia }) => [
        called(cluster),
        countCell(size),
        numberCell((100 * size) / n),
        numberCell(inertia),
        ...(silhouettes === null ? [] : [numberCell(silhouettes.clusters[cluster]?.mean ?? null)]),
        nearest[cluster] < 0 ? textCell('–') : called(nearest[cluster]),
        textCell(size === 0 ? t('report.noRows') : apart(cluster) || t('report.hardlyDiffersFromTheOthers')),
      ]),
    notes: [t('report.inertiaIsInUnitsOfThe', [localNumber(String(smallDifference))])],
  }
}
