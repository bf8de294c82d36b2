import type { CudaFacts, PlanQuestion, Regime } from '@shared/plan'
import { bestRegime, probeOf, regimeChain } from '@shared/regimes'
import { pointBounds, tileBounds } from './cuda-bounds'
import {
  hasRoom,
  keptSumsBytes,
  matrixFilterBytes,
  matrixScoresFit,
  maxStaged,
  messagesAreFew,
  neighbourListsFit,
  registersHoldPoints,
  rowPiecesFit,
  stagedPointsFit,
  widthOf,
} from './cuda-limits'

/** Regimes of `fused` on CUDA, best first. The native code builds what is named and chooses nothing. */

type Question = PlanQuestion<CudaFacts>

const passing = 'Points that pass through the device in every iteration cannot be kept there in another form.'
const fewFeatures = (question: Question) => question.shape.d <= 32
const capable = ({ device }: Question, major: number) => device.computeCapability[0] >= major

/** Iterations of whole runs cannot be looked at one by one. */
function refusesWholeRuns({ shape, device, hints }: Question): string | null {
  if (shape.d > 4) return 'Whole runs in one launch hold points of up to 4 features.'
  if (!device.cooperativeLaunch) return 'The device cannot launch blocks that wait for each other.'
  if (hints.streamed === true) return passing
  if (hints.split !== undefined) return 'Devices that share the rows add their sums up in every iteration.'
  return hints.timed === true ? 'Iterations that are timed one by one cannot share a launch.' : null
}

const messagePassing: Regime<CudaFacts> = {
  name: 'message-passing',
  summary:
    'Points stay in registers; blocks send each other their sums, so that many iterations are one launch.',
  refuses(question) {
    const few = messagesAreFew(question.shape, question.device)
    return refusesWholeRuns(question) ?? (few ? null : 'Blocks would have too many sums to send each other.')
  },
  chosen: () => 'The registers hold all points, and blocks have few sums to exchange.',
  otherPasses: (question) => [plainRegime(question)],
}

const registerResident: Regime<CudaFacts> = {
  name: 'register-resident',
  summary:
    'Points stay in registers for many iterations in one launch, with a barrier of all blocks in each.',
  refuses(question) {
    const held = registersHoldPoints(question.shape, question.device)
    return (
      refusesWholeRuns(question) ??
      (held ? null : 'The registers do not hold all points, or a block not all centroids.')
    )
  },
  chosen: () => 'The registers of the device hold all points.',
  otherPasses: (question) => [plainRegime(question)],
}

/** Points from which an order along a curve, which is quick to make, pays. */
const minOnCurve = 500_000
/** With more features the order takes longer than most runs of fewer multiply-adds an iteration, or of fewer clusters. */
const minOrderedWork = 5e8
const minOrderedClusters = 16
const neighboursTogether = 'neighbours-together'

function orderingPays({ n, d, k }: Question['shape']): boolean {
  if (d > 3) return k >= minOrderedClusters && n * d * k >= minOrderedWork
  return k > 1 && n >= minOnCurve
}

/** The points in their order, and what making it takes. */
function chunkBytes({ shape: { n, d } }: Question): number {
  return n * (widthOf(d) + 10) * 4
}

const neighbourBoxes: Regime<CudaFacts> = {
  name: 'neighbour-boxes',
  summary:
    'Points in an order of neighbours; chunks of them look only at the centroids that can be nearest to one of theirs.',
  refuses(question) {
    const { shape, device, hints } = question
    if (!fewFeatures(question)) return 'Chunks of neighbours hold points of up to 32 features.'
    if (!capable(question, 8)) return 'Chunks of neighbours need compute capability 8.0.'
    if (hints.streamed === true) return passing
    if (shape.n < 2049 || shape.n >= 2 ** 31) return 'Neighbours are found among 2049 to 2147483647 points.'
    if (shape.k > 4096) return 'Lists of centroids number up to 4096.'
    return neighbourListsFit(shape, device)
      ? null
      : 'Centroids and sums do not fit into the shared memory of a block.'
  },
  chosen(question) {
    const found = question.hints.findings?.[neighboursTogether]
    if (found === false || !orderingPays(question.shape)) return null
    if (!hasRoom(question, chunkBytes(question))) return null
    return found === true
      ? 'Neighbours lie together, so that most distances cannot matter.'
      : 'Most distances cannot matter where neighbours lie together, which a probe decides.'
  },
  probe: (question) => probeOf(regimes, question, neighboursTogether),
  workspaceBytes: chunkBytes,
  otherPasses: (question) => [plainRegime(question)],
}

const stagedPoints: Regime<CudaFacts> = {
  name: 'staged-points',
  summary:
    'Each warp has tiles of points in shared memory, copied ahead; distances, or scores that name one centroid; sums change by points that moved.',
  refuses(question) {
    if (!capable(question, 8))
      return 'Points in shared memory are copied and scored by compute capability 8.0 and later.'
    return stagedPointsFit(question.shape, question.device)
      ? null
      : 'Points in shared memory have up to 32 features and 128 clusters, or 64 and 64.'
  },
  chosen: ({ shape: { d, k } }) =>
    k <= maxStaged(d)
      ? 'Clusters are so few that reading the points takes longest, which this does once.'
      : null,
  workspaceBytes: ({ shape, hints }) => (hints.streamed === true ? 0 : keptSumsBytes(shape)),
}

const rowPieces: Regime<CudaFacts> = {
  name: 'row-pieces',
  summary:
    'Rows pass through shared memory by pieces, products with all centroids on matrix units leave few in question; sums change by points that moved.',
  refuses(question) {
    if (!capable(question, 8))
      return 'Rows are copied by pieces and scored by compute capability 8.0 and later.'
    return rowPiecesFit(question.shape, question.device)
      ? null
      : 'Rows by pieces have up to 128 clusters whose centroids fit into the shared memory of a block as two float16 each.'
  },
  chosen: (question) =>
    fewFeatures(question)
      ? null
      : 'Features are many and clusters so few that reading the points takes longest, which this does once.',
  workspaceBytes: ({ shape, hints }) => (hints.streamed === true ? 0 : keptSumsBytes(shape)),
}

const matrixScores: Regime<CudaFacts> = {
  name: 'matrix-scores',
  summary:
    'Scores on matrix units choose a group of eight centroids in shared memory, distances decide in it.',
  refuses(question) {
    if (!fewFeatures(question)) return 'Matrix scores have up to 32 features.'
    if (!capable(question, 8)) return 'Matrix scores need matrix units of compute capability 8.0.'
    const fits = matrixScoresFit(question.shape, question.device)
    return fits ? null : 'The centroids do not fit into the shared memory of a block in float16.'
  },
  chosen: () => 'The shared memory of a block holds all centroids in float16, and there are matrix units.',
}

const pointsDiffer = 'points-differ'

/** Scores from which a pass repays that it is seven launches, beside regimes that have one. */
const minFilteredScores = 2e7
/** The same of multiply-adds, where features are many. */
const minFilteredWork = 2e9

/** Others read the points of few clusters once, in float32 and as they are, where they can. */
function filterPays(question: Question): boolean {
  const { n, d, k } = question.shape
  if (plainRegime(question) === tiled.name) return true
  const fewest = d <= 32 ? 129 : d <= 256 ? 65 : 33
  return k >= fewest && (n * k >= minFilteredScores || n * k * d >= minFilteredWork)
}

const matrixFilter: Regime<CudaFacts> = {
  name: 'matrix-filter',
  summary:
    'Products in float16 on matrix units leave few centroids in question, distances decide among them; sums change by points that moved.',
  refuses(question) {
    if (question.shape.d < 9) return 'The filter by matrix units is for 9 features and more.'
    if (!capable(question, 8)) return 'The filter needs matrix units of compute capability 8.0.'
    if (question.shape.k <= 8)
      return 'The filter parts centroids into groups of 8: up to 8 clusters there is nothing to part.'
    if (question.shape.k > 2 ** 23) return 'The filter tells up to 8388608 clusters apart.'
    return question.hints.streamed === true ? passing : null
  },
  chosen(question) {
    const { shape, hints } = question
    if (hints.findings?.[pointsDiffer] === false || !filterPays(question)) return null
    return hasRoom(question, matrixFilterBytes(shape))
      ? 'Features and clusters are so many that products in float16 on matrix units, which leave few in question, pay.'
      : null
  },
  probe: (question) => probeOf(regimes, question, pointsDiffer),
  workspaceBytes: ({ shape }) => matrixFilterBytes(shape),
}

const tiled: Regime<CudaFacts> = {
  name: 'tiled',
  summary: 'Tiles of points by centroids in registers, sums in global memory.',
  refuses: () => null,
  chosen: ({ hints }) =>
    hints.streamed === true
      ? 'Points pass through the device, and features are many.'
      : 'It takes any shape.',
}

/** Without bounds. */
const bruteForce: readonly Regime<CudaFacts>[] = [
  messagePassing,
  registerResident,
  neighbourBoxes,
  matrixFilter,
  stagedPoints,
  rowPieces,
  matrixScores,
  tiled,
]

/** What makes single passes: whole runs in one launch are none. */
function singlePasses(question: Question): readonly string[] {
  return regimeChain(bruteForce, { ...question, hints: { ...question.hints, timed: true, findings: {} } })
}

export const regimes: readonly Regime<CudaFacts>[] = [tileBounds(singlePasses), pointBounds, ...bruteForce]

const plain = [stagedPoints, rowPieces, matrixScores, tiled]

/** The regime that keeps nothing of the points: what others leave to it, above all labels. */
export function plainRegime(question: Question): string {
  return bestRegime(plain, question).regime?.name ?? tiled.name
}
