import { LabError } from './errors'

/** Names of the only distance there is. */
const euclidean: readonly string[] = ['euclidean', 'sqeuclidean', 'squared-euclidean', 'l2']

const isCosine = (name: string): boolean => /^(cosine|angular|correlation)$/.test(name)
const isManhattan = (name: string): boolean => /^(manhattan|cityblock|city-block|l1)$/.test(name)

/** Said wherever another distance might be looked for. */
export const onlyEuclidean =
  'Distances are Euclidean, the only ones under which the mean is the centre of a cluster. Unit length orders ' +
  'points as cosine does; Manhattan would be another method, k-medians.'

/**
 * @param where option or key as a person wrote it, e.g. `--distance`
 * @throws LabError `input` for any distance but the Euclidean one, with the reason and what to do instead
 */
export function refuseOtherDistance(where: string, name: string): void {
  const known = name.trim().toLowerCase()
  if (euclidean.includes(known)) return
  throw new LabError('input', 'argument.distance', `${where} ${name} is refused: ${because(known)}.`)
}

function because(name: string): string {
  const mean =
    'k-means moves centroids to the mean, and the mean is the centre under the Euclidean distance only'
  const instead = 'choose the scaling unit-length, which orders points as cosine does'
  if (isCosine(name)) return `${mean}; ${instead}`
  if (isManhattan(name)) {
    return `${mean} (under Manhattan it is the median, and k-medians is another method); if directions matter, ${instead}`
  }
  return `${mean}; leave it out, or if directions matter, ${instead}`
}
