import type { Prediction, PredictionWarning } from '@shared/prediction'
import type { Dataset } from '../dataset/dataset'
import type { FeatureSource } from './columns-by-name'
import type { KeptRun } from '../run-file/kept-run'

/** A share of a cluster that moved by this much, and by more than chance moves it, is reported. */
const notableShare = 0.1
const standardErrors = 3
/** So is a distance grown by this factor. */
const notableGrowth = 1.5

/** What whoever uses the labels should know, a sentence each. */
export function predictionWarnings(
  summary: Omit<Prediction, 'warnings'>,
  dataset: Dataset,
  kept: KeptRun,
  sources: readonly FeatureSource[],
): PredictionWarning[] {
  const of = (about: PredictionWarning['about'], sentences: readonly string[]) =>
    sentences.map((says) => ({ about, says }))
  return [
    ...of('left-out', leftOut(summary)),
    ...of('texts', unknownTexts(dataset, sources)),
    ...of('range', outOfRange(summary)),
    ...of('share', movedShares(summary)),
    ...of('distance', fartherOff(summary, kept)),
  ]
}

function rowsOf(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}

function leftOut({ droppedRows, n }: Omit<Prediction, 'warnings'>): string[] {
  if (droppedRows === 0) return []
  const what = `${rowsOf(droppedRows)} with missing values in the features got no cluster`
  return [n === 0 ? `${what}: no row was assigned.` : `${what}, as when the clustering was made.`]
}

/** Texts of one-hot columns that the clustering has never seen: such a row is none of the known ones. */
function unknownTexts({ categories }: Dataset, sources: readonly FeatureSource[]): string[] {
  const columns = new Map<number, { readonly name: string; readonly known: Set<string> }>()
  for (const { info, feature } of sources) {
    if (feature.category === undefined) continue
    const column = columns.get(info.index) ?? { name: info.name, known: new Set<string>() }
    columns.set(info.index, column)
    column.known.add(feature.category)
  }
  return [...columns].flatMap(([index, { name, known }]) => {
    const unknown = (categories?.[index]?.values ?? []).filter((value) => !known.has(value))
    if (unknown.length === 0) return []
    const listed = unknown.slice(0, 5).map((value) => `'${value}'`)
    const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : ''
    return [`The column '${name}' has texts that the clustering has never seen: ${listed.join(', ')}${more}.`]
  })
}

function outOfRange({ features, n }: Omit<Prediction, 'warnings'>): string[] {
  return features.flatMap(({ name, range, below, above }) => {
    if (range === null || below + above === 0) return []
    const share = ((100 * (below + above)) / n).toPrecision(2)
    return [
      `${rowsOf(below + above)} (${Number(share)} %) with a value of '${name}' outside ${range[0]} to ${range[1]}, the range of the clustering.`,
    ]
  })
}

function movedShares({ clusters, n }: Omit<Prediction, 'warnings'>): string[] {
  if (n === 0) return []
  return clusters
    .filter(({ share, trainingShare }) => {
      const chance = standardErrors * Math.sqrt((trainingShare * (1 - trainingShare)) / n)
      return Math.abs(share - trainingShare) >= Math.max(notableShare, chance)
    })
    .map(({ cluster, share, trainingShare }) => {
      const [now, then] = [share, trainingShare].map((one) => Number((100 * one).toPrecision(3)))
      return `Cluster ${cluster} has ${now} % of the rows; it had ${then} % when the clustering was made.`
    })
}

function fartherOff(
  { distance, trainingDistance }: Omit<Prediction, 'warnings'>,
  { file }: KeptRun,
): string[] {
  if (distance === null || trainingDistance === null || trainingDistance === 0) return []
  const growth = distance / trainingDistance
  if (growth < notableGrowth) return []
  return [
    `Rows lie ${Number(growth.toPrecision(2))} times as far from their centroids as those of ${file.name} did: the clusters may not describe them.`,
  ]
}
