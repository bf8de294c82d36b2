/** What is said while a result is used again, and of what came of it. */
import type { Prediction } from '@shared/prediction'
import type { ReuseProgress } from '@shared/reuse-requests'
import type { RunVerification, Verdict, VerificationMark } from '@shared/verification'
import { t, type WindowKey } from '@/i18n'
import { formatCount, formatPlain, formatShare } from './numbers'
import { tsvText } from './tsv'

/** `Reading the file, 42 %`. */
export function stageSentence(progress: Pick<ReuseProgress, 'stage' | 'share'> | null): string {
  if (progress === null) return t('reuse.justBegun')
  const words = t(`reuse.${progress.stage}`)
  if (progress.share === null) return t('reuse.stage', [words])
  return t('reuse.stageShare', [words, Math.floor(100 * progress.share)])
}

/** What of a file got a cluster, and what did not. */
export function receiptSentence({
  n,
  droppedRows,
  filledCells,
  leftOutRecords,
  features,
}: Prediction): string {
  const counted = (key: 'assigned' | 'dropped' | 'leftOut' | 'filled', count: number): string =>
    t(`reuse.${key}`, [formatCount(count)], count)
  const parts = [
    counted('assigned', n),
    droppedRows > 0 ? `${counted('dropped', droppedRows)}${whereMissing(features)}` : '',
    leftOutRecords > 0 ? counted('leftOut', leftOutRecords) : '',
    droppedRows + leftOutRecords === 0 ? t('reuse.noneLeftOut') : '',
    filledCells > 0 ? counted('filled', filledCells) : '',
  ]
  return t('reuse.sentence', [parts.filter(Boolean).join('; ')])
}

/** ` (nitrate: 50, pH: 2)`: the columns that a person has to look into, the worst first. */
function whereMissing(features: Prediction['features']): string {
  const gaps = features.filter(({ missing }) => missing > 0).toSorted((a, b) => b.missing - a.missing)
  return gaps.length === 0
    ? ''
    : ` (${gaps.map(({ name, missing }) => `${name}: ${formatCount(missing)}`).join(', ')})`
}

/** How far rows lie from their centroids, beside those of the run. */
export function distanceSentence({ distance, trainingDistance }: Prediction): string {
  if (distance === null) return t('reuse.noRow')
  const here = formatPlain(distance)
  if (trainingDistance === null || trainingDistance === 0) return t('reuse.distance', [here])
  const ratio = distance / trainingDistance
  if (Math.abs(ratio - 1) < 0.005) return t('reuse.distanceSame', [here])
  const times = formatPlain(Number(ratio.toPrecision(3)))
  return t('reuse.distanceTimes', [here, times, formatPlain(trainingDistance)])
}

/** Whose share of the rows changed most. */
export function shareSentence({ clusters, n }: Prediction, nameOf: (cluster: number) => string): string {
  if (n === 0) return ''
  const most = clusters.reduce((a, b) =>
    Math.abs(b.share - b.trainingShare) > Math.abs(a.share - a.trainingShare) ? b : a,
  )
  const { cluster, share, trainingShare } = most
  if (Math.abs(share - trainingShare) < 0.0005) return t('reuse.shareSame')
  return t('reuse.shareMoved', [nameOf(cluster), formatShare(trainingShare), formatShare(share)])
}

/** Of the table, for a spreadsheet. */
export function predictionAsText({ clusters }: Prediction, nameOf: (cluster: number) => string): string {
  return tsvText(
    ['cluster', 'rows', 'share', 'share in the run', 'distance', 'distance in the run'],
    clusters.map((one) => [
      nameOf(one.cluster),
      ...[one.size, one.share, one.trainingShare],
      ...[one.distance ?? '', one.trainingDistance ?? ''],
    ]),
  )
}

const verdictKeys = {
  identical: 'identical',
  'within-bound': 'withinBound',
  different: 'different',
} as const satisfies Record<Verdict, string>

export function verdictSentence({ verdict }: Pick<RunVerification, 'verdict'>): string {
  return t(`reuse.${verdictKeys[verdict]}`)
}

const markKeys = {
  identical: 'markIdentical',
  'within-bound': 'markWithinBound',
  different: 'markDifferent',
} as const satisfies Record<Verdict, string>

/** `identical`. */
export function markWord({ verdict }: Pick<VerificationMark, 'verdict'>): string {
  return t(`reuse.${markKeys[verdict]}`)
}

/** `Verified: identical, result SHA-256 9ce2…`. */
export function markTitle(mark: VerificationMark): string {
  return t('reuse.markTitle', [markWord(mark), mark.resultSha256])
}

/** The first digits of a SHA-256, as the window shows it. */
export function shortHash(sha256: string): string {
  return `${sha256.slice(0, 12)}…`
}

const differing: Readonly<Record<string, true>> = {
  iterations: true,
  inertia: true,
  stopped: true,
  sizes: true,
  centroids: true,
}

/** What differs between two runs; n, d and k are called so in every language. */
export function differenceWords(what: string): string {
  return what in differing ? t(`reuse.differs-${what}` as WindowKey) : what
}
