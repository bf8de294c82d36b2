import type { CpuFacts, Regime } from '@shared/plan'
import { tileBytes } from '../../methods/tiles/tiles'

/** Centroids from which scores are cheaper than distances. */
const minScoreCentroids = 32
/** The margin of methods/scores is proven for fewer. */
const maxScoreFeatures = 16_384

/** Regimes of `fused` on the processor, best first. */
export const regimes: readonly Regime<CpuFacts>[] = [
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
