import type { Judgement } from '@engine/quality/judge'
import { printable, printableJson } from '@shared/printable'
import type { JudgeOptions } from './judge-arguments'
import { distinctNumbers, shortNumber, textTable } from './text-table'

/** A judgement with what it is about. */
export interface JudgeReport {
  readonly judgement: Judgement
  /** Of the labels. */
  readonly names: readonly string[]
  readonly file: string
  readonly options: Pick<JudgeOptions, 'labels' | 'truth'>
}

/** `judge --json`: exactly one object, on one line. */
export function judgeJson({ judgement, names, file, options }: JudgeReport): string {
  const { n, d, k, leftOut, inertia, silhouettes, calinskiHarabasz, daviesBouldin } = judgement
  return `${printableJson({
    ...{ file, labels: options.labels, truth: options.truth, n, d, k, left_out_rows: leftOut, inertia },
    silhouette: silhouettes?.mean ?? null,
    silhouette_se: silhouettes?.standardError ?? null,
    silhouette_points: silhouettes?.points ?? null,
    ...{ calinski_harabasz: calinskiHarabasz, davies_bouldin: daviesBouldin },
    adjusted_rand: judgement.adjustedRand,
    normalised_mutual_information: judgement.mutualInformation,
    clusters: names.map((label, at) => ({
      ...{ label, size: judgement.sizes[at] },
      silhouette: silhouettes === null ? null : orNull(silhouettes.clusters[at].mean),
    })),
    warnings: judgement.warnings,
  })}\n`
}

/** The judgement for reading. */
export function judgeText({ judgement, names, file, options }: JudgeReport): string {
  const { n, d, k, leftOut, inertia, silhouettes } = judgement
  const left = leftOut > 0 ? ` (${leftOut} ${leftOut === 1 ? 'row' : 'rows'} left out)` : ''
  const means = names.map((_, at) => orNull(silhouettes?.clusters[at].mean ?? NaN))
  const texts = distinctNumbers(means)
  const rows = names.map((name, at) => [name, String(judgement.sizes[at]), texts[at]])
  const number = (value: number | null) =>
    value === null ? 'not defined' : String(Number(value.toPrecision(6)))
  const standardError = silhouettes?.standardError ?? null
  const error =
    standardError === null ? '' : ` +- ${shortNumber(standardError)} (of ${silhouettes?.points} rows)`
  return [
    `${printable(file)}: ${n} points${left}, ${d} ${d === 1 ? 'feature' : 'features'}, ${k} clusters by ${printable(options.labels)}\n`,
    `\n${textTable(['cluster', 'size', 'silhouette'], rows, ['cluster'])}`,
    `\nSilhouette                     ${number(silhouettes?.mean ?? null)}${error}\n`,
    `Calinski-Harabasz              ${number(judgement.calinskiHarabasz)}\n`,
    `Davies-Bouldin                 ${number(judgement.daviesBouldin)}\n`,
    `Inertia                        ${number(inertia)}\n`,
    ...(options.truth === null
      ? []
      : [
          `Adjusted Rand index            ${number(judgement.adjustedRand)} (with ${printable(options.truth)})\n`,
          `Normalised mutual information  ${number(judgement.mutualInformation)}\n`,
        ]),
    ...judgement.warnings.map((warning) => `Warning: ${printable(warning)}\n`),
  ].join('')
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
