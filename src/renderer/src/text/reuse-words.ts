/** What is said while a result is used again, and of what came of it. */
import type { Prediction } from '@shared/prediction'
import type { ReuseProgress } from '@shared/reuse-requests'
import type { RunVerification, Verdict, VerificationMark } from '@shared/verification'
import { formatPlain, formatShare, plural } from './numbers'
import { tsvText } from './tsv'

const stageWords = {
  reading: 'Reading the file',
  assigning: 'Assigning the rows',
  running: 'Running again',
} as const

/** `Reading the file, 42 %`. */
export function stageSentence(progress: Pick<ReuseProgress, 'stage' | 'share'> | null): string {
  if (progress === null) return 'Just begun…'
  const { stage, share } = progress
  return share === null ? `${stageWords[stage]}…` : `${stageWords[stage]}, ${Math.floor(100 * share)} %`
}

/** What of a file got a cluster, and what did not. */
export function receiptSentence({ n, droppedRows, filledCells, leftOutRecords }: Prediction): string {
  const parts = [
    droppedRows > 0 ? `${plural(droppedRows, 'row')} left out for missing values` : '',
    leftOutRecords > 0 ? `${plural(leftOutRecords, 'record')} left out, too short or too long` : '',
    filledCells > 0 ? `${plural(filledCells, 'missing cell')} filled as in the run` : '',
  ].filter(Boolean)
  return `${plural(n, 'row')} assigned${parts.length === 0 ? ', none left out' : `; ${parts.join('; ')}`}.`
}

/** How far rows lie from their centroids, beside those of the run. */
export function distanceSentence({ distance, trainingDistance }: Prediction): string {
  if (distance === null) return 'No row has a cluster.'
  if (trainingDistance === null || trainingDistance === 0)
    return `Root mean square distance to the centroid: ${formatPlain(distance)}.`
  const ratio = distance / trainingDistance
  const how =
    Math.abs(ratio - 1) < 0.005
      ? 'as far as in the run'
      : `${formatPlain(Number(ratio.toPrecision(3)))} times that of the run (${formatPlain(trainingDistance)})`
  return `Root mean square distance to the centroid: ${formatPlain(distance)}, ${how}.`
}

/** Whose share of the rows changed most. */
export function shareSentence({ clusters, n }: Prediction, nameOf: (cluster: number) => string): string {
  if (n === 0) return ''
  const most = clusters.reduce((a, b) =>
    Math.abs(b.share - b.trainingShare) > Math.abs(a.share - a.trainingShare) ? b : a,
  )
  if (Math.abs(most.share - most.trainingShare) < 0.0005) return 'Every cluster has the share that it had.'
  return `Largest change of share: cluster ${nameOf(most.cluster)}, ${formatShare(most.trainingShare)} in the run, ${formatShare(most.share)} here.`
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

const verdictSentences: Readonly<Record<Verdict, string>> = {
  identical: 'Identical: labels, centroids and inertia are the same to the last bit.',
  'within-bound': 'The same within the bound of the variant, but not to the last bit.',
  different: 'Different: this is another result.',
}

export function verdictSentence({ verdict }: Pick<RunVerification, 'verdict'>): string {
  return verdictSentences[verdict]
}

const markWords: Readonly<Record<Verdict, string>> = {
  identical: 'identical',
  'within-bound': 'same within the bound',
  different: 'different',
}

/** `Verified: identical`. */
export function markSentence({ verdict }: VerificationMark): string {
  return `Verified: ${markWords[verdict]}`
}

/** `identical`. */
export function markWord({ verdict }: VerificationMark): string {
  return markWords[verdict]
}

/** The first digits of a SHA-256, as the window shows it. */
export function shortHash(sha256: string): string {
  return `${sha256.slice(0, 12)}…`
}
