import type { CudaFacts, PlanHints, PlanQuestion, Regime } from '@shared/plan'
import type { RunShape } from '@shared/variant'
import { hasRoom, pointVisitsFit } from './cuda-limits'

/**
 * Regimes of `fused` on CUDA that carry bounds from pass to pass. Passes by brute force, and labels, are made by the others,
 * which `otherPasses` names.
 */

type Question = PlanQuestion<CudaFacts>

/** Bounds of tiles under these would end later than brute force: few clusters, or distances weighed by features. */
const minClusters = 100
const minTileWork = 4e9
const maxTileFeatures = 32

/**
 * In the plane chunks of neighbours take a time that hardly grows with k up to so many clusters: tiles beat them only from
 * `minBesideChunks` clusters of few points on. By 1M·400, 4M·400, 4M·700 and 1M·512 points by clusters, in blobs and noise.
 */
const maxClustersOfChunks = 768
const minBesideChunks = 257
const maxPointsOfCluster = 3000

function hasBetterChunks({ n, d, k }: RunShape): boolean {
  return d <= 2 && k <= maxClustersOfChunks && (k < minBesideChunks || n > maxPointsOfCluster * k)
}

/** Whether runs of many iterations are faster with bounds of tiles, whatever the data. */
export function tileBoundsPay(shape: RunShape): boolean {
  const { n, d, k } = shape
  return d <= maxTileFeatures && k >= minClusters && n * (d + 3) * k >= minTileWork && !hasBetterChunks(shape)
}

const maxPointFeatures = 256
const maxPointClusters = 4096

/** Iterations below which bounds are not repaid: they gain in later ones. */
const minIterations = 10

/** A session that tells no limit measures single iterations mostly, in which bounds only cost. */
function lastsLong({ iterations = 0 }: PlanHints): boolean {
  return iterations >= minIterations
}

const noRoom = 'The device has too little memory for bounds of these points.'
const passing = 'Bounds are kept of points on the device, and these do not fit there.'

function refusesTiles(question: Question): string | null {
  const { shape, hints } = question
  if (shape.d > maxTileFeatures) return 'Tiles of points are bounded for up to 32 features.'
  if (shape.n < 2049 || shape.n >= 2 ** 31) return 'Tiles are made of 2049 to 2147483647 points.'
  if (shape.k > 65533) return 'Tiles keep labels of up to 65533 clusters.'
  if (hints.streamed === true) return passing
  return hasRoom(question, tileBytes(question)) ? null : noRoom
}

/** The points by tile, with their order and what making it takes; leads, labels and balls. */
function tileBytes({ shape: { n, d, k } }: Question): number {
  return n * (6 * d + 32 + Math.ceil(k / 32))
}

/** @param bruteForce names of the regimes that make single passes without bounds. */
export function tileBounds(bruteForce: (question: Question) => readonly string[]): Regime<CudaFacts> {
  return {
    name: 'tile-bounds',
    summary:
      'Visits only tiles of neighbouring points whose labels may have changed; passes in which that cannot pay, the first ones mostly, are brute force.',
    refuses: refusesTiles,
    chosen: ({ shape, hints }) =>
      tileBoundsPay(shape) && lastsLong(hints)
        ? 'With so many clusters and distances, most tiles of neighbouring points keep their labels in later passes.'
        : null,
    workspaceBytes: tileBytes,
    otherPasses: bruteForce,
  }
}

function refusesPoints(question: Question): string | null {
  const { shape, device, hints } = question
  if (shape.d <= maxTileFeatures || shape.d > maxPointFeatures)
    return 'Bounds a point are kept for 33 to 256 features.'
  if (shape.k <= 8 || shape.k > maxPointClusters) return 'Bounds a point are kept for 9 to 4096 clusters.'
  if (device.computeCapability[0] < 8)
    return 'Bounds a point come from a filter that needs compute capability 8.0.'
  if (!pointVisitsFit(shape, device))
    return 'Visits of open points do not fit into the shared memory of a block.'
  if (shape.n >= 2 ** 31) return 'Bounds are kept of up to 2147483647 points.'
  if (hints.streamed === true) return passing
  return hasRoom(question, pointBytes(question)) ? null : noRoom
}

/** The points once more in float16 with what the filter keeps of each, the bounds, and the distances between centroids. */
function pointBytes({ shape: { n, d, k } }: Question): number {
  return n * (2 * d + 76 + 40) + 4 * k * k
}

/**
 * By its name alone: whole runs took 1.5 to 1.8 times as long as by `matrix-filter` in twenty blobs, .8 where every cluster is a blob
 * (docs/performance.md), since its passes have become faster.
 */
export const pointBounds: Regime<CudaFacts> = {
  name: 'point-bounds',
  summary:
    'Two bounds a point, left behind by brute force with its filter, until visits of the open points take less time.',
  refuses: refusesPoints,
  chosen: () => null,
  workspaceBytes: pointBytes,
}
