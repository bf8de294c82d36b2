/** What the policies for missing cells and for scaling do to the chosen features, in numbers. */
import type { ColumnInfo, MissingPolicy, Scaling } from '@shared/dataset'
import type { ScalingChoice } from '@shared/run-config'
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

/** How many rows a filter leaves out. @param leftOut null while they are counted */
export function filteredSentence(leftOut: number | null, rows: number): string {
  if (leftOut === null) return 'Counting the rows…'
  if (leftOut === rows) return 'No row is kept: change a condition.'
  if (leftOut === 0) return `Every one of the ${plural(rows, 'row')} is kept.`
  return `${formatCount(leftOut)} of ${formatCount(rows)} rows left out (${formatShare(leftOut / rows)}).`
}

/**
 * The same for the rows that a filter keeps, where no count of a column says how many cells are missing.
 * @param rows that are kept
 * @param counted those of them with a missing cell; null while they are counted
 */
export function filteredMissingHint(policy: MissingPolicy, rows: number, counted: number | null): string {
  if (policy === 'drop' || counted === null) return counted === 0 ? noneMissing : dropped(counted, rows)
  if (counted === 0) return noneMissing
  const gaps = `${plural(counted, 'row')} with missing cells`
  if (policy === 'refuse') return `${gaps}: a run will be refused.`
  return `The missing cells of ${plural(counted, 'row')} will be filled with the ${policy} of the column.`
}

const noneMissing = 'No cell of the chosen features is missing.'

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
  if (cells === 0) return noneMissing
  if (policy === 'drop') return dropped(rowsWithGaps(features) ?? counted, rows)
  if (policy === 'refuse') return `${plural(cells, 'cell')} missing: a run will be refused.`
  return `${plural(cells, 'missing cell')} will be filled with the ${policy} of the column.`
}

/** Features that differ by more than this weigh visibly differently. */
const notableRatio = 10

/** The features with the widest and the narrowest range, where they weigh visibly differently. */
function unevenRanges(features: readonly Feature[]) {
  const ranges = features
    .map(({ name, min, max }) => ({ name, range: (max ?? 0) - (min ?? 0) }))
    .filter(({ range }) => range > 0)
    .sort((a, b) => b.range - a.range)
  const [widest, narrowest] = [ranges[0], ranges.at(-1)]
  if (!widest || !narrowest || widest.range < notableRatio * narrowest.range) return null
  return { widest, narrowest }
}

function unscaled(features: readonly Feature[]): string {
  const found = unevenRanges(features)
  if (!found) return 'Values are used unscaled.'
  const { widest, narrowest } = found
  return `${widest.name} dominates the distance: its range is ${formatPlain(widest.range)}, that of ${narrowest.name} ${formatPlain(narrowest.range)}.`
}

const sharing = ({ columnScalings = [] }: ScalingChoice, features: readonly Feature[]) => {
  const own = new Set(columnScalings.map(({ column }) => column))
  return features.filter(({ name }) => !own.has(name))
}

/** Does a feature decide by its range alone, so that a scaling is advised? */
export function wantsScaling(choice: ScalingChoice, features: readonly Feature[]): boolean {
  return choice.scaling === 'none' && unevenRanges(sharing(choice, features)) !== null
}

const scalingSays: Readonly<Record<Exclude<Scaling, 'none'>, string>> = {
  standardise: 'Each feature as z-score: mean 0, variance 1.',
  'min-max': 'Each feature from 0 to 1; a single outlier squeezes the rest.',
  robust: 'Each feature by its median and interquartile range; outliers weigh little.',
  'unit-length': 'Each row divided by its length, so that directions are compared.',
}

/** What a scaling does, and without one, which feature decides; and how many features have their own. */
export function scalingHint(choice: ScalingChoice, features: readonly Feature[]): string {
  const others = sharing(choice, features)
  const general = choice.scaling === 'none' ? unscaled(others) : scalingSays[choice.scaling]
  const count = features.length - others.length
  if (count === 0) return general
  const have = `${plural(count, 'feature')} ${count === 1 ? 'has' : 'have'} a scaling of ${count === 1 ? 'its' : 'their'} own.`
  return others.length === 0 ? have : `${general} ${have}`
}
