/** What the policies for missing cells and for scaling do to the chosen features, in numbers. */
import type { ColumnInfo, MissingPolicy, Scaling } from '@shared/dataset'
import { shortFilterText } from '@shared/row-filter/filter-text'
import type { RowFilter } from '@shared/row-filter/row-filter'
import type { ScalingChoice } from '@shared/run-config'
import { unevenRanges } from '@shared/uneven-ranges'
import { formatCount, formatPlain, formatShare, plural } from './numbers'
import { t } from '@/i18n'

type Feature = Pick<ColumnInfo, 'name' | 'missing' | 'min' | 'max'>

/** Rows with a missing cell, where the counts per column tell: at most one feature has gaps. Else null. */
export function rowsWithGaps(features: readonly Feature[]): number | null {
  const gaps = features.map(({ missing }) => missing).filter((missing) => missing > 0)
  return gaps.length > 1 ? null : (gaps[0] ?? 0)
}

function dropped(leftOut: number | null, rows: number): string {
  if (leftOut === null) return t('settings.countingTheRowsThatWillBe')
  const verb =
    rows - leftOut === 0
      ? t('settings.everyRow')
      : t('settings.ofRows', [formatCount(leftOut), formatCount(rows)])
  return t('settings.willBeLeftOut', [verb, formatShare(leftOut / rows)])
}

/** A filter as a person reads it: of rows that were picked, how many they are. */
export const filterInWords = (filter: RowFilter): string =>
  shortFilterText(filter, ({ kind }, count) =>
    t(kind === 'rows' ? 'rows.onlyPicked' : 'rows.allButPicked', [plural(count, 'picked row')]),
  )

/** How many rows a filter leaves out. @param leftOut null while they are counted */
export function filteredSentence(leftOut: number | null, rows: number): string {
  if (leftOut === null) return t('settings.countingTheRows')
  if (leftOut === rows) return t('settings.noRowIsKeptChangeA')
  if (leftOut === 0) return t('settings.everyOneOfTheIsKept', [plural(rows, 'row')])
  return t('settings.ofRowsLeftOut', [formatCount(leftOut), formatCount(rows), formatShare(leftOut / rows)])
}

/**
 * The same for the rows that a filter keeps, where no count of a column says how many cells are missing.
 * @param rows that are kept
 * @param counted those of them with a missing cell; null while they are counted
 */
export function filteredMissingHint(policy: MissingPolicy, rows: number, counted: number | null): string {
  if (policy === 'drop' || counted === null) return counted === 0 ? noneMissing() : dropped(counted, rows)
  if (counted === 0) return noneMissing()
  const gaps = t('settings.withMissingCells', [plural(counted, 'row')])
  if (policy === 'refuse') return t('settings.aRunWillBeRefused', [gaps])
  return t('settings.theMissingCellsOfWillBe', [plural(counted, 'row'), fillWord(policy)])
}

const noneMissing = () => t('settings.noCellOfTheChosenFeatures')

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
  if (cells === 0) return noneMissing()
  if (policy === 'drop') return dropped(rowsWithGaps(features) ?? counted, rows)
  if (policy === 'refuse') return t('settings.missingARunWillBeRefused', [plural(cells, 'cell')])
  return t('settings.willBeFilledWithTheOf', [plural(cells, 'missing cell'), fillWord(policy)])
}

function unscaled(features: readonly Feature[]): string {
  const found = unevenRanges(features)
  if (!found) return t('settings.valuesAreUsedUnscaled')
  const { widest, narrowest } = found
  return t('settings.dominatesTheDistanceItsRangeIs', [
    widest.name,
    formatPlain(widest.range),
    narrowest.name,
    formatPlain(narrowest.range),
  ])
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
  get standardise() {
    return t('settings.eachFeatureAsZScoreMean')
  },
  get 'min-max'() {
    return t('settings.eachFeatureFrom0To1')
  },
  get robust() {
    return t('settings.eachFeatureByItsMedianAnd')
  },
  get 'unit-length'() {
    return t('settings.eachRowDividedByItsLength')
  },
}

/** What a scaling does, and without one, which feature decides; and how many features have their own. */
export function scalingHint(choice: ScalingChoice, features: readonly Feature[]): string {
  const others = sharing(choice, features)
  const general = choice.scaling === 'none' ? unscaled(others) : scalingSays[choice.scaling]
  const count = features.length - others.length
  if (count === 0) return general
  const have = t('settings.aScalingOfOwn', [plural(count, 'feature')], count)
  return others.length === 0 ? have : `${general} ${have}`
}

/** What a missing cell is filled with, in the middle of a sentence. */
const fillWord = (policy: MissingPolicy): string =>
  policy === 'median' ? t('settings.medianWord') : t('settings.meanWord')
