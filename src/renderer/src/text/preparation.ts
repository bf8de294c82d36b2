/** What the policies for missing cells and for scaling do to the chosen features, in numbers. */
import type { ColumnInfo, MissingPolicy, Scaling } from '@shared/dataset'
import { formatCount, formatPlain, formatShare, plural } from './numbers'

type Feature = Pick<ColumnInfo, 'name' | 'missing' | 'min' | 'max'>

/** Rows with a missing cell, where the counts per column tell: at most one feature has gaps. Else null. */
export function rowsWithGaps(features: readonly Feature[]): number | null {
  const gaps = features.map(({ missing }) => missing).filter((missing) => missing > 0)
  return gaps.length > 1 ? null : (gaps[0] ?? 0)
}

function dropped(leftOut: number | null, rows: number): string {
  if (leftOut === null) return 'Counting the rows that will be left out…'
  const verb = rows - leftOut === 0 ? 'Every row' : `${formatCount(leftOut)} of ${formatCount(rows)} rows`
  return `${verb} will be left out (${formatShare(leftOut / rows)}).`
}

/**
 * One sentence: what a policy does to this choice of features.
 * @param counted rows with a missing cell, where that was counted
 */
export function missingHint(
  policy: MissingPolicy,
  features: readonly Feature[],
  rows: number,
  counted: number | null = null,
): string {
  const cells = features.reduce((sum, { missing }) => sum + missing, 0)
  if (cells === 0) return 'No cell of the chosen features is missing.'
  if (policy === 'drop') return dropped(rowsWithGaps(features) ?? counted, rows)
  if (policy === 'refuse') return `${plural(cells, 'cell')} missing: a run will be refused.`
  return `${plural(cells, 'missing cell')} will be filled with the ${policy} of the column.`
}

/** Features that differ by more than this weigh visibly differently. */
const notableRatio = 10

function unscaled(features: readonly Feature[]): string {
  const ranges = features
    .map(({ name, min, max }) => ({ name, range: (max ?? 0) - (min ?? 0) }))
    .filter(({ range }) => range > 0)
    .sort((a, b) => b.range - a.range)
  const [widest, narrowest] = [ranges[0], ranges.at(-1)]
  if (!widest || !narrowest || widest.range < notableRatio * narrowest.range)
    return 'Values are used unscaled.'
  return `Values are used unscaled: ${widest.name} spans ${formatPlain(widest.range)} and ${narrowest.name} only ${formatPlain(narrowest.range)}. Wide-range columns dominate the distance; consider Standardise.`
}

const scalingSays: Readonly<Record<Exclude<Scaling, 'none'>, string>> = {
  standardise: 'Each feature as z-score: mean 0, variance 1.',
  'min-max': 'Each feature from 0 to 1; a single outlier squeezes the rest.',
  robust: 'Each feature by its median and interquartile range; outliers weigh little.',
  'unit-length': 'Each row divided by its length, so that directions are compared.',
}

/** What a scaling does, and without one, which feature decides. */
export function scalingHint(scaling: Scaling, features: readonly Feature[]): string {
  return scaling === 'none' ? unscaled(features) : scalingSays[scaling]
}
