/** Features and their values in running text. */
import { dateText } from '@shared/dates'
import type { RecordedFeature } from '@shared/run-record'
import { formatShare } from './numbers'

/** `petal length (cm)` and `petal length [cm]` name their unit. */
const withUnit = /^(.*\S)\s*[([]([^()[\]]{1,12})[)\]]$/u

export interface NamedFeature {
  readonly name: string
  /** Empty where the name does not tell. */
  readonly unit: string
}

/** The name of a feature apart from its unit; of a text of a column, both. */
export function namedFeature({ name, category }: Pick<RecordedFeature, 'name' | 'category'>): NamedFeature {
  if (category !== undefined) return { name: `${name} = ${category}`, unit: '' }
  const [, bare, unit] = withUnit.exec(name) ?? []
  return bare !== undefined && unit !== undefined ? { name: bare, unit } : { name, unit: '' }
}

/**
 * A value of a feature as it is said: a date as a date, of a text the share of rows that have it.
 * @param says see `profileFormat`
 */
export function featureValue(
  feature: RecordedFeature,
  value: number,
  says: (value: number) => string,
): string {
  if (feature.dateUnit !== undefined) return dateText(value, feature.dateUnit)
  if (feature.category !== undefined) return formatShare(Math.min(1, Math.max(0, value)))
  const { unit } = namedFeature(feature)
  const number = says(value)
  return unit === '' ? number : `${number}\u00a0${unit}`
}
