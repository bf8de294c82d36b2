/** The numbers of one feature, the same wherever its clusters are compared. */
import type { Profile, ProfileUnits } from '@/plots/profile/profile'
import { columnDecimals, columnFormat, formatNumber } from './numbers'
import { localNumber } from '@shared/locale/translate'

/** Digits of what the clusters differ by. */
const differing = 3
/** Beyond these a number reads better with an exponent. */
const maxDecimals = 6

/**
 * As a column of the cluster means, and with so many decimals more that means which lie close together far from 0 are told apart.
 * @param means of all clusters, in the unit of the numbers
 */
export function featureFormat(means: readonly number[]): (value: number) => string {
  const known = means.filter(Number.isFinite)
  const range = Math.max(...known) - Math.min(...known)
  const usual = columnDecimals(known)
  const decimals = range > 0 ? differing - 1 - Math.floor(Math.log10(range)) : 0
  if (usual === null || decimals <= usual || decimals > maxDecimals) return columnFormat(known)
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return (value) =>
    Number.isFinite(value) ? localNumber(format.format(value).replaceAll(',', '\u202f')) : formatNumber(value)
}

/** The same of a feature of a profile: there as in the table of clusters. */
export function profileFormat(
  { clusters }: Profile,
  feature: number,
  units: ProfileUnits,
): (value: number) => string {
  const means = clusters.map(
    ({ spreads, z }) => (units === 'file' ? spreads[feature]?.mean : z[feature]) ?? NaN,
  )
  return featureFormat(means)
}
