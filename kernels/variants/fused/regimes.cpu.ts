import type { CpuFacts, PlanQuestion, Regime } from '@shared/plan'
import { probeOf } from '@shared/regimes'
import type { RunShape } from '@shared/variant'
import { openBytes, passBytes, tileBytes } from '../../methods/tiles/tiles'

type Question = PlanQuestion<CpuFacts>

/** The margin of the boxes' filter is proven for up to so many features; candidates of more centroids have no room. */
const maxBoxFeatures = 8
const maxBoxCentroids = 4096
/** Points and points a centroid from which boxes pay at all. */
const minBoxPoints = 8192
const minBoxPointsOfCentroid = 16
/**
 * By features, where boxes pay whatever the data, in nanoseconds a coordinate on data without clusters: what making them takes beyond
 * tiles, and what they save an iteration against brute force, once and for each centroid.
 */
const boxCosts = [
  { making: 11, saved: 0.9, savedEach: 0.075 },
  { making: 4.9, saved: 0.28, savedEach: 0.04 },
  { making: 5.6, saved: 0.16, savedEach: 0.029 },
  { making: 6.2, saved: 0.1, savedEach: 0.024 },
  { making: 6.4, saved: 0.05, savedEach: 0.0175 },
] as const
/** Iterations of a run whose end is not known. */
const usualIterations = 30
/** Centroids and iterations from which boxes of more features pay, where a probe finds them narrow. */
const minProbedCentroids = 128
const minProbedIterations = 8
/** Features up to which boxes pay whatever the data. */
const maxSureBoxFeatures = boxCosts.length
const boxProbe = 'narrow-boxes'

/** Centroids, or features, from which scores are cheaper than distances. */
const minScoreCentroids = 32
const minScoreFeatures = 48
/** The margin of methods/scores is proven for fewer. */
const maxScoreFeatures = 16_384

/** Below, a row of the points stands in its tile alone. */
const minProjectedFeatures = 17
/** Centroids from which a few directions can leave out enough distances to pay for themselves. */
const minProjectedCentroids = 32
/** Multiply-adds of an iteration from which a few of them repay the probe and the projection of all points. */
const minProjectedWork = 1e9
/** Of methods/projections: at most so many directions, and one more coordinate. */
const maxCoordinates = 129
const directionsProbe = 'few-directions'

const orderedBoxes: Regime<CpuFacts> = {
  name: 'ordered-boxes',
  summary: 'Boxes of ordered points; one that a single centroid can own moves its sums as a whole.',
  refuses({ shape: { d, k } }) {
    if (d > maxBoxFeatures) return `The filter of boxes is proven for up to ${maxBoxFeatures} features.`
    return k > maxBoxCentroids ? `Boxes keep candidates of up to ${maxBoxCentroids} clusters.` : null
  },
  chosen({ shape, hints }) {
    if (!boxesMayPay(shape, hints.iterations ?? usualIterations)) return null
    if (shape.d <= maxSureBoxFeatures)
      return `In up to ${maxSureBoxFeatures} features most boxes of neighbouring points lie in few clusters.`
    const found = hints.findings?.[boxProbe]
    if (found === false) return null
    return found === true
      ? 'The points lie so that boxes of neighbours lie in few clusters.'
      : 'Boxes pay where neighbouring points lie in few clusters, which a probe decides.'
  },
  probe: (question) => (question.shape.d > maxSureBoxFeatures ? probeOf(regimes, question, boxProbe) : null),
  workspaceBytes: ({ shape }) =>
    tileBytes(shape) + (shape.n / 64) * (16 * shape.d + 4) + 4 * shape.n * shape.d,
}

function boxesMayPay({ n, d, k }: RunShape, iterations: number): boolean {
  if (n < minBoxPoints || n < minBoxPointsOfCentroid * k) return false
  if (d > boxCosts.length) return k >= minProbedCentroids && iterations >= minProbedIterations
  const { making, saved, savedEach } = boxCosts[d - 1]
  return Math.min(iterations, usualIterations) * (saved + savedEach * k) >= making
}

const projectedScores: Regime<CpuFacts> = {
  name: 'projected-scores',
  summary:
    'Bounds from the directions in which the points vary most leave out nearly all distances; groups as in tiled-scores.',
  refuses({ shape: { d } }) {
    if (d < minProjectedFeatures) return `Projections need ${minProjectedFeatures} features or more.`
    return d < maxScoreFeatures
      ? null
      : `The margin of projections is proven for fewer than ${maxScoreFeatures} features.`
  },
  chosen({ shape: { n, d, k }, hints }) {
    if (k < minProjectedCentroids || n * d * k < minProjectedWork) return null
    const found = hints.findings?.[directionsProbe]
    if (found === false) return null
    return found === true
      ? 'The points vary along so few directions that bounds from them leave out nearly all distances.'
      : 'Bounds from a few directions pay where the points vary along few, which a probe decides.'
  },
  workspaceBytes: (question) => Math.max(projectionBytes(question), groupBytes(question)),
  probe: (question) => probeOf(regimes, question, directionsProbe),
}

/** Projected points and their squared lengths, and labels. */
function projectionBytes({ shape: { n, d } }: Question): number {
  return n * (4 * Math.min(maxCoordinates, d + 1) + 8)
}

/** Of neighbour-groups (grouped_passes.cpp). */
const [minGroupedFeatures, minGroupedCentroids, minPointsOfGrouped] = [9, 64, 32]

/** Points by group, their order, two labels of each; lists for every 128 of them, at most a quarter of the centroids in each. */
function groupBytes({ shape }: Question): number {
  const { n, d, k } = shape
  const neverGrouped = d < minGroupedFeatures || k < minGroupedCentroids || n < minPointsOfGrouped * k
  return neverGrouped ? passBytes(shape) : tileBytes(shape) + 12 * n + (n * k) / 128
}

/** Regimes of `fused` on the processor, best first. */
export const regimes: readonly Regime<CpuFacts>[] = [
  orderedBoxes,
  projectedScores,
  {
    name: 'tiled-scores',
    summary:
      'Tiles of points by blocks of centroids; scores with a proven margin find the nearest, distances decide inside it. Where clusters lie apart, groups of neighbouring points with lists of the centroids that can be nearest go on.',
    refuses: ({ shape }) =>
      shape.d < maxScoreFeatures
        ? null
        : `The margin of scores is proven for fewer than ${maxScoreFeatures} features.`,
    chosen({ shape: { d, k } }) {
      if (k >= minScoreCentroids)
        return `From ${minScoreCentroids} centroids on, scores take less than distances.`
      return d >= minScoreFeatures
        ? `From ${minScoreFeatures} features on, scores take less than distances.`
        : null
    },
    workspaceBytes: groupBytes,
    openBytes: ({ shape }) => openBytes(shape),
  },
  {
    name: 'tiled',
    summary: 'Tiles of points by blocks of centroids, every distance computed.',
    refuses: () => null,
    chosen: ({ shape }) =>
      shape.d < maxScoreFeatures
        ? `Below ${minScoreCentroids} centroids, computing every distance takes least.`
        : 'The features are too many for scores.',
    workspaceBytes: ({ shape }) => passBytes(shape),
    openBytes: ({ shape }) => openBytes(shape),
  },
]
