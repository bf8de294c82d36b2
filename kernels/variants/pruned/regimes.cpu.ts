import type { CpuFacts, PlanQuestion, Regime } from '@shared/plan'
import { probeOf } from '@shared/regimes'
import { tileBytes } from '../../methods/tiles/tiles'

type Question = PlanQuestion<CpuFacts>

/** Of the boxes' kernels: labels take a byte, and the strips are cut across three features at most. */
const maxBoxFeatures = 3
const maxBoxCentroids = 256
/** Points, and points a centroid, from which boxes pay. */
const minBoxPoints = 8192
const minBoxPointsOfCentroid = 200

/** The filter's margin is proven for up to so many features. */
const maxTreeFeatures = 8
/** Points and centroids from which a tree pays, and features up to which it does whatever the data. */
const minTreePoints = 4096
const minTreeCentroids = 64
const maxSureTreeFeatures = 3
const leafProbe = 'narrow-leaves'

/** The margins of balls and scores are proven for fewer. */
const maxGroupFeatures = 16_384
/** Centroids and multiply-adds of an iteration from which groups pay. */
const minGroupCentroids = 8
const minGroupWork = 1e6

const orderedBoxes: Regime<CpuFacts> = {
  name: 'ordered-boxes',
  summary: 'Boxes of ordered points; one that a single centroid can own moves its sums as a whole.',
  refuses({ shape: { d, k } }) {
    if (d > maxBoxFeatures) return `Boxes are made of up to ${maxBoxFeatures} features.`
    return k > maxBoxCentroids ? `Boxes keep labels of up to ${maxBoxCentroids} clusters.` : null
  },
  chosen: ({ shape: { n, k } }) =>
    k > 1 && n >= minBoxPoints && n >= minBoxPointsOfCentroid * k
      ? `With ${minBoxPointsOfCentroid} points a centroid or more, most boxes lie in one cluster.`
      : null,
  workspaceBytes: ({ shape }) => tileBytes(shape) + (shape.n / 64) * (16 * shape.d + 4),
}

const filteredTree: Regime<CpuFacts> = {
  name: 'filtered-tree',
  summary: 'A tree of points; each node is left with the centroids that can be nearest in its box.',
  refuses: ({ shape }) =>
    shape.d > maxTreeFeatures ? `The tree's filter is proven for up to ${maxTreeFeatures} features.` : null,
  chosen({ shape: { n, d, k }, hints }) {
    if (n < minTreePoints || k < minTreeCentroids) return null
    if (d <= maxSureTreeFeatures)
      return `In up to ${maxSureTreeFeatures} features a tree leaves few distances.`
    const found = hints.findings?.[leafProbe]
    if (found === false) return null
    return found === true
      ? 'The points lie so that leaves of a tree leave few distances.'
      : 'A tree pays where its leaves leave few distances, which a probe decides.'
  },
  workspaceBytes: ({ shape: { n, d } }) => n * (4 * d + 8) + (n / 16) * (16 * d + 4),
  probe: (question) =>
    question.shape.d > maxSureTreeFeatures ? probeOf(regimes, question, leafProbe) : null,
}

const neighbourGroups: Regime<CpuFacts> = {
  name: 'neighbour-groups',
  summary:
    'Groups of neighbouring points, each with a list of the centroids that can be nearest to one of them.',
  refuses: ({ shape }) =>
    shape.d >= maxGroupFeatures
      ? `The margin of groups is proven for fewer than ${maxGroupFeatures} features.`
      : null,
  chosen: ({ shape: { n, d, k } }) =>
    d > maxTreeFeatures && k >= minGroupCentroids && n * d * k >= minGroupWork
      ? 'With so many features and centroids, lists of candidates leave most distances out.'
      : null,
  workspaceBytes: groupBytes,
}

/** Points by group, their order, two labels of each; at worst all k centroids in every list. */
function groupBytes({ shape }: Question): number {
  const { n, k } = shape
  return tileBytes(shape) + 12 * n + (n * k) / 8
}

const unchangedCentroids: Regime<CpuFacts> = {
  name: 'unchanged-centroids',
  summary: 'Brute force by tiles; an iteration in which no centroid has moved is the one before.',
  refuses: () => null,
  chosen: () => 'No other bound pays for this shape and data.',
  workspaceBytes: ({ shape }) => tileBytes(shape),
}

/** Regimes of `pruned` on the processor, best first. */
export const regimes: readonly Regime<CpuFacts>[] = [
  orderedBoxes,
  filteredTree,
  neighbourGroups,
  unchangedCentroids,
]
