import type { CudaFacts, PlanQuestion, Regime } from '@shared/plan'
import { probeOf, regimeChain } from '@shared/regimes'
import type { RunShape } from '@shared/variant'
import { regimes as fusedRegimes, hasRoom } from '../fused/regimes.cuda'

/**
 * Regimes of `pruned` on CUDA, best first. Passes by brute force, and labels, are made by regimes of `fused`, which
 * `otherPasses` names. None of them hands the run itself to `fused`: what cannot be pruned is refused.
 */

type Question = PlanQuestion<CudaFacts>

const maxFeaturesOfTiles = 32

/** Bounds of tiles under these would end later than brute force: few clusters, or distances weighed by features. */
const minClusters = 16
const minWork = 3e8

/**
 * In the plane `fused` has a table for up to so many clusters, whose cost hardly grows with k: tiles beat it only from
 * `minBesideTable` clusters of few points on. By 1M·400, 4M·400, 4M·700 and 1M·512 points by clusters, in blobs and noise.
 */
const maxClustersOfTable = 768
const minBesideTable = 257
const maxPointsOfCluster = 3000

/** Whether runs of `fused` in the plane are faster whatever the data. */
export function hasBetterTable({ n, d, k }: RunShape): boolean {
  return d <= 2 && k <= maxClustersOfTable && (k < minBesideTable || n > maxPointsOfCluster * k)
}

/** Whether tiles can win at all; else a run begins with brute force, and its pilots tell. */
function tilesMayPay(shape: RunShape): boolean {
  const { n, d, k } = shape
  return k >= minClusters && n * (d + 3) * k >= minWork && !hasBetterTable(shape)
}

const noRoom = 'The device has too little memory for bounds of these points.'

function refusesTiles(question: Question): string | null {
  const { shape, hints } = question
  if (shape.d > maxFeaturesOfTiles) return 'Tiles of points are bounded for up to 32 features.'
  if (shape.n < 2049 || shape.n >= 2 ** 31) return 'Tiles are made of 2049 to 2147483647 points.'
  if (shape.k > 65533) return 'Tiles keep labels of up to 65533 clusters.'
  if (hints.streamed === true) return 'Bounds are kept of points on the device, and these do not fit there.'
  return hasRoom(question, tileBytes(question)) ? null : noRoom
}

/** The points by tile, with their order and what making it takes; leads, labels and balls. */
function tileBytes({ shape: { n, d, k } }: Question): number {
  return n * (6 * d + 32 + Math.ceil(k / 32))
}

/** Regimes of `fused` for single passes: whole runs in one launch are none. */
function bruteForce(question: Question): readonly string[] {
  return regimeChain(fusedRegimes, { ...question, hints: { ...question.hints, timed: true, findings: {} } })
}

const tilesPay = 'tiles-pay-at-first'

const tileBounds: Regime<CudaFacts> = {
  name: 'tile-bounds',
  summary:
    'Visits only tiles of neighbouring points whose labels may have changed; passes in which that cannot pay are brute force.',
  refuses: refusesTiles,
  chosen({ shape, hints }) {
    if (hints.findings?.[tilesPay] === false || !tilesMayPay(shape)) return null
    return hints.findings?.[tilesPay] === true
      ? 'Tiles leave out so much that the first pass begins with them.'
      : 'Tiles leave out most distances where points lie together, which a probe decides.'
  },
  probe: (question) => probeOf(regimes, question, tilesPay),
  workspaceBytes: tileBytes,
  otherPasses: bruteForce,
}

const bruteThenTileBounds: Regime<CudaFacts> = {
  name: 'brute-then-tile-bounds',
  summary: 'The same, but a run begins with brute force until pilots show that tiles pay.',
  refuses: refusesTiles,
  chosen: () => 'The first passes are not expected to gain by bounds: the run begins with brute force.',
  workspaceBytes: tileBytes,
  otherPasses: bruteForce,
}

function refusesPoints(question: Question): string | null {
  const { shape, device, hints } = question
  if (shape.d <= maxFeaturesOfTiles || shape.d > 256) return 'Bounds a point are kept for 33 to 256 features.'
  if (shape.k <= 8 || shape.k > 4096) return 'Bounds a point are kept for 9 to 4096 clusters.'
  if (device.computeCapability[0] < 8)
    return 'Bounds a point come from a filter that needs compute capability 8.0.'
  if (shape.n >= 2 ** 31) return 'Bounds are kept of up to 2147483647 points.'
  if (hints.streamed === true) return 'Bounds are kept of points on the device, and these do not fit there.'
  return hasRoom(question, pointBytes(question)) ? null : noRoom
}

/** The points once more in float16 with what the filter keeps of each, the bounds, and the distances between centroids. */
function pointBytes({ shape: { n, d, k } }: Question): number {
  return n * (2 * d + 64 + 40) + 4 * k * k
}

const pointBounds: Regime<CudaFacts> = {
  name: 'point-bounds',
  summary:
    'Two bounds a point, left behind by brute force with its filter, until visits of the open points take less time.',
  refuses: refusesPoints,
  chosen: () => 'Features are many, and the filter leaves bounds of each point behind.',
  workspaceBytes: pointBytes,
}

const pointBoundsAlways: Regime<CudaFacts> = {
  name: 'point-bounds-always',
  summary:
    'The same, but open points are visited whatever that costs; for tests, which it never waits for a clock in.',
  refuses: refusesPoints,
  chosen: () => null,
  workspaceBytes: pointBytes,
}

export const regimes: readonly Regime<CudaFacts>[] = [
  tileBounds,
  bruteThenTileBounds,
  pointBounds,
  pointBoundsAlways,
]
