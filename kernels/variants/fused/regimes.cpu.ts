import type { CpuFacts, PlanQuestion, Regime } from '@shared/plan'
import { probeOf } from '@shared/regimes'
import { tileBytes } from '../../methods/tiles/tiles'

/** Centroids from which scores are cheaper than distances. */
const minScoreCentroids = 32
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

const projectedScores: Regime<CpuFacts> = {
  name: 'projected-scores',
  summary: 'Bounds from the directions in which the points vary most leave out nearly all distances.',
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
  workspaceBytes: projectionBytes,
  probe: (question) => probeOf(regimes, question, directionsProbe),
}

/** Projected points and their squared lengths, and labels. */
function projectionBytes({ shape: { n, d } }: PlanQuestion<CpuFacts>): number {
  return n * (4 * Math.min(maxCoordinates, d + 1) + 8)
}

/** Regimes of `fused` on the processor, best first. */
export const regimes: readonly Regime<CpuFacts>[] = [
  projectedScores,
  {
    name: 'tiled-scores',
    summary:
      'Tiles of points by blocks of centroids; scores with a proven margin find the nearest, distances decide inside it.',
    refuses: ({ shape }) =>
      shape.d < maxScoreFeatures
        ? null
        : `The margin of scores is proven for fewer than ${maxScoreFeatures} features.`,
    chosen: ({ shape }) =>
      shape.k >= minScoreCentroids
        ? `From ${minScoreCentroids} centroids on, scores take less than distances.`
        : null,
    workspaceBytes: ({ shape }) => tileBytes(shape),
  },
  {
    name: 'tiled',
    summary: 'Tiles of points by blocks of centroids, every distance computed.',
    refuses: () => null,
    chosen: ({ shape }) =>
      shape.k < minScoreCentroids
        ? `Below ${minScoreCentroids} centroids, computing every distance takes least.`
        : 'The features are too many for scores.',
    workspaceBytes: ({ shape }) => tileBytes(shape),
  },
]
