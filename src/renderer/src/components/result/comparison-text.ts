/** Two compared runs in sentences, and as a table for the clipboard. */
import type { ClusterPair, RunComparison } from '@shared/run-comparison'
import { scalingOf } from '@shared/run-config'
import { isNumeric, type RunRecord } from '@shared/run-record'
import { t } from '@/i18n'
import { formatPlain, plural } from '@/text/numbers'
import { tsvText, type TsvCell } from '@/text/tsv'
import { factPairs } from './run-facts'

/** How much longer b took than a. */
export function timeSentence(a: RunRecord, b: RunRecord): string {
  const [timeA, timeB] = [a.timings.totalMs, b.timings.totalMs]
  if (timeA <= 0 || timeB <= 0) return t('results.theTimesAreTooShortTo')
  const ratio = timeB / timeA
  if (Math.abs(ratio - 1) < 0.005) return t('results.bothTookTheSameTime')
  return ratio > 1
    ? t('results.bTookTimesAsLongAs', [formatPlain(ratio)])
    : t('results.aTookTimesAsLongAs', [formatPlain(1 / ratio)])
}

/** Whether inertias and distances of the two are in the same units; empty where they are. */
export function unitsSentence(a: RunRecord, b: RunRecord): string {
  const [namesA, namesB] = [namesOf(a), namesOf(b)]
  if (namesA.join('\n') !== namesB.join('\n')) return t('results.theirInertiasCannotBeComparedThe')
  const numeric = a.features.filter(isNumeric).map(({ name }) => name)
  const differing = numeric.filter((name) => scalingOf(a.config, name) !== scalingOf(b.config, name))
  if (differing.length === 0) return ''
  const few = differing.length > 3 ? plural(differing.length, 'feature') : differing.join(', ')
  return t('results.theirInertiasCannotBeComparedScaled', [few], differing.length)
}

const namesOf = ({ features }: RunRecord) => features.map(({ name }) => name)

/** Which clusters of b none of a was matched with; empty when there are none. */
export function leftOverSentence({ pairs }: RunComparison, b: RunRecord): string {
  const matched = new Set(pairs.map((pair) => pair.b))
  const left = b.clusters.map(({ cluster }) => cluster).filter((cluster) => !matched.has(cluster))
  if (left.length === 0) return ''
  const few = left.slice(0, 10).join(', ')
  return t('results.ofBWithoutACounterpart', [
    plural(left.length, 'cluster'),
    few,
    left.length > 10 ? t('results.andOthers') : '',
  ])
}

/** Why there is no adjusted Rand index: there is no pair of rows. */
export function noIndex(rows: number): string {
  return rows === 0 ? t('results.noRowsInCommon') : t('results.onlyOneRowInCommon')
}

const pairHeader = [
  'cluster of A',
  'cluster of B',
  'size in A',
  'size in B',
  'shared rows',
  'centroid distance',
  'feature of the largest difference',
  'largest difference',
] as const

function pairCells({
  a,
  b,
  sizeA,
  sizeB,
  shared,
  centroidDistance,
  largestDifference,
}: ClusterPair): TsvCell[] {
  const largest = [largestDifference?.feature ?? null, largestDifference?.difference ?? null]
  return [a, b, sizeA, sizeB, shared, centroidDistance, ...largest]
}

/** Measures, facts side by side and matched clusters, one below the other, with every digit. */
export function comparisonAsText(comparison: RunComparison, a: RunRecord, b: RunRecord): string {
  const measures: readonly (readonly TsvCell[])[] = [
    ['rows compared', comparison.rows],
    ['label agreement', comparison.agreement],
    ['adjusted Rand index', comparison.adjustedRand],
    ['time of B / time of A', b.timings.totalMs / a.timings.totalMs],
  ]
  const facts = factPairs(a, b).map((pair) => [pair.what, pair.a?.full ?? null, pair.b?.full ?? null])
  return [
    tsvText(['measure', 'value'], measures),
    tsvText(['fact', 'A', 'B'], facts),
    tsvText(pairHeader, comparison.pairs.map(pairCells)),
  ].join('\n')
}
