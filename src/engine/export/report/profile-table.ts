import { countColumn, numberCell, textCell, textColumn, type Table } from '@shared/benchmark/table'
import { plural } from '@shared/quantity-words'
import type { RunRecord } from '@shared/run-record'
import type { Profiles } from '../../quality/profiles'
import { t } from '@shared/locale/translate'
import type { ReportChoice } from '@shared/text-choice'
import { namedCluster } from './named-cluster'

/** More are read in profile.csv. */
export const maxFeatures = 60
export const maxClusters = 24

/** Mean and standard deviation of each feature, of all rows and of each cluster; units of the file. */
export function profileTable(
  { features, k, d }: RunRecord,
  { whole, clusters }: Profiles,
  names: ReportChoice['clusterNames'],
): Table {
  const shown = Math.min(k, maxClusters)
  const more = [
    ...(k > shown ? [plural(k - shown, 'more cluster')] : []),
    ...(d > maxFeatures ? [plural(d - maxFeatures, 'more feature')] : []),
  ]
  return {
    title: t('report.profiles'),
    columns: [
      textColumn(t('report.featureHead')),
      countColumn(t('report.allRows')),
      ...Array.from({ length: shown }, (_, cluster) =>
        countColumn(t('report.cluster', [namedCluster(cluster, names)])),
      ),
    ],
    rows: features.slice(0, maxFeatures).map(({ name }, j) => [
      textCell(name),
      numberCell(known(whole.mean[j]), { range: spread(whole.sd[j]) }),
      ...Array.from({ length: shown }, (_, cluster) => {
        const at = cluster * d + j
        return numberCell(known(clusters.mean[at]), { range: spread(clusters.sd[at]) })
      }),
    ]),
    notes: [
      t('report.meanAndBelowItStandardDeviation'),
      ...(more.length > 0
        ? [t('report.notShownProfileCsvHasThem', [more.length > 1 ? t('report.both', more) : more[0]])]
        : []),
    ],
  }
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value
}

function spread(sd: number): string | null {
  return Number.isNaN(sd) ? null : `± ${numberCell(sd).text}`
}
