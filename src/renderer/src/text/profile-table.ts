/** Statistics of features by cluster as cells of a table. */
import { t } from '@/i18n'
import { standardised, type Spread } from '@/plots/profile/profile'
import type { ReadProfile } from '@/plots/profile/read-profile'
import type { ProfileUnits } from '@/plots/profile/profile'
import type { Statistic } from '@/stores/profile-choices'
import { tsvText, type TsvCell } from './tsv'

export const statisticWords: Readonly<Record<Statistic, string>> = {
  get mean() {
    return t('profiles.meanStandardDeviation')
  },
  get spread() {
    return t('profiles.median')
  },
  get quartiles() {
    return t('profiles.quartiles2')
  },
  get range() {
    return t('profiles.smallestToLargest2')
  },
}

export interface StatisticCell {
  readonly text: string
  /** All of them, with every digit. */
  readonly title: string
}

function textOf(spread: Spread, statistic: Statistic, says: (value: number) => string): string {
  const { mean, sd, q25, median, q75, min, max } = spread
  switch (statistic) {
    case 'mean':
      return Number.isFinite(sd) ? `${says(mean)} ± ${says(sd)}` : says(mean)
    case 'spread':
      return says(median)
    case 'quartiles':
      return t('profiles.to', [says(q25), says(q75)])
    case 'range':
      return t('profiles.to', [says(min), says(max)])
  }
}

/** A spread as it is shown. @param whole of the same feature, for standardised units @param says see `profileFormat` */
export function statisticCell(
  spread: Spread,
  whole: Spread,
  statistic: Statistic,
  units: ProfileUnits,
  says: (value: number) => string,
): StatisticCell {
  const shown = units === 'file' ? spread : standardised(spread, whole)
  const { mean, sd, q25, median, q75, min, max } = shown
  const title = t('profiles.meanSdQuartilesTo', [mean, sd, q25, median, q75, min, max])
  return { text: textOf(shown, statistic, says), title }
}

const parts = ['mean', 'sd', 'min', 'q25', 'median', 'q75', 'max'] as const

/** Everything, a row for each feature and cluster, for a spreadsheet. */
export function profileAsText(
  { features, whole, clusters }: ReadProfile,
  units: ProfileUnits,
  nameOf: (cluster: number) => string,
): string {
  const row = (name: string, feature: number, spread: Spread | undefined): readonly TsvCell[] => {
    const all = whole[feature]
    const shown = spread && all && units === 'standardised' ? standardised(spread, all) : spread
    return [name, features[feature] ?? '', ...parts.map((part) => shown?.[part] ?? null)]
  }
  const rows = [
    ...features.map((_, feature) => row(t('profiles.allRows2'), feature, whole[feature])),
    ...clusters.flatMap(({ cluster, spreads }) =>
      features.map((_, feature) => row(nameOf(cluster), feature, spreads[feature])),
    ),
  ]
  return tsvText(['cluster', 'feature', ...parts], rows)
}
