import type { CompileRequest } from '@kernels/common/webgpu/passes'

/** How points, clusters and features are laid out over the lanes and the memory of a workgroup; what may be tried out. */
export interface StagedShape {
  /** Scores choose, distances decide what they leave open; else distances to all centroids. */
  readonly byScores: boolean
  /** Lanes side by side, of which each has so many vectors of four clusters of a tile. */
  readonly columns: number
  readonly vectors: 1 | 2
  readonly clusterTiles: number
  /** Lanes below each other, each of which has four points of a tile. */
  readonly rows: number
  readonly threads: number
  readonly tilePoints: number
  /** Slices of a row, and vectors of four features of each; vectors from one row of a tile to the next. */
  readonly slices: number
  readonly sliceQuads: number
  readonly stride: number
  /** All centroids stay in workgroup memory. */
  readonly keepsCentroids: boolean
  /** What is added is gathered in workgroup memory. */
  readonly gathers: boolean
  /** Lanes ask for the next slice before they look at this one. */
  readonly readsAhead: boolean
}

/** Clusters up to which distances to all take no longer, and features up to which the margin of scores is proven. */
const maxByDistances = 12
const maxScoredFeatures = 2000
/** Clusters up to which a lane has four of them, and lanes below each other: with so few, beyond, and side by side with no other. */
const maxNarrow = 16
const narrowRows = 64
const wideRows = 32
const singleRows = 128
/** Features from which single lanes pay. */
const manyFeatures = 64
/** Clusters of a tile at most. */
const maxTileClusters = 128
/** Workgroup memory of the points of a tile, of centroids that stay, and of sums: more leave a processor too few workgroups. */
const pointBytes = 20 * 1024
const centroidBytes = 28 * 1024
const gatheredBytes = 20 * 1024
/** Points of a tile that are made room for sums with. */
const minTileBytes = 8 * 1024
/** Points of a lane. */
const lanePoints = 4
/** Vectors that a lane has room for of what comes next. */
const maxHeld = 16
/** Points that lists have room for beyond those of a tile. */
const listSpare = 256
/** Of variables, and slack. */
const otherBytes = 256

type Lanes = Pick<StagedShape, 'columns' | 'vectors' | 'clusterTiles' | 'rows' | 'threads' | 'tilePoints'>

const odd = (count: number) => count + 1 - (count % 2)

/** The layout that suits k clusters, d features and the limits of the device: of ever smaller ones the first that fits. */
export function stagedShape(request: CompileRequest): StagedShape {
  const { k, d, workgroupBytes, workgroupThreads = 256 } = request
  const shapes = [1, 2, 4, 8].flatMap((share) =>
    [1, 2, 4, 8, 16, 32].flatMap((part) =>
      [centroidBytes, 0].map((kept) => layOut(lanesFor(request, share), request, pointBytes / part, kept)),
    ),
  )
  const fits = (shape: StagedShape) =>
    shape.threads <= workgroupThreads && workgroupMemory(shape, k, d) <= workgroupBytes
  // Sums that go to global memory one by one cost more than smaller tiles, while many points move.
  const gathers = (shape: StagedShape) => shape.gathers && tileBytes(shape) >= minTileBytes && fits(shape)
  return shapes.find(gathers) ?? shapes.find(fits) ?? shapes[shapes.length - 1]
}

/** @param share of the lanes below each other that there are else */
function lanesFor({ k, d }: Pick<CompileRequest, 'k' | 'd'>, share: number): Lanes {
  const isNarrow = k <= maxNarrow
  const vectors = isNarrow ? 1 : 2
  const clusterTiles = Math.ceil(k / maxTileClusters)
  const columns = Math.ceil(k / (clusterTiles * 4 * vectors))
  const narrow = columns === 1 && d >= manyFeatures ? singleRows : narrowRows
  const rows = (isNarrow ? narrow : wideRows) / share
  const threads = rows * columns
  return { columns, vectors, clusterTiles, rows, threads, tilePoints: rows * lanePoints }
}

/** @param bytes that the points of a tile may take; @param keptBytes that all centroids may, to stay */
function layOut(
  lanes: Lanes,
  { d, k, workgroupBytes }: Pick<CompileRequest, 'd' | 'k' | 'workgroupBytes'>,
  bytes: number,
  keptBytes: number,
): StagedShape {
  const { columns, vectors, clusterTiles, tilePoints } = lanes
  const quads = Math.ceil(d / 4)
  const fitting = Math.floor(bytes / (16 * tilePoints))
  // Rows are an odd number of vectors apart.
  const most = Math.max(1, fitting - 1 + (fitting % 2))
  const slices = Math.ceil(quads / most)
  const sliceQuads = Math.ceil(quads / slices)
  const allBytes = 64 * slices * sliceQuads * columns * vectors
  const keepsCentroids = clusterTiles === 1 && allBytes <= keptBytes
  const byScores = k > maxByDistances && d <= maxScoredFeatures
  const readsAhead = Math.ceil((tilePoints * sliceQuads) / lanes.threads) <= maxHeld
  const rest = { stride: odd(sliceQuads), keepsCentroids, byScores, readsAhead }
  const shape = { ...lanes, slices, sliceQuads, ...rest }
  const isFitting = workgroupMemory({ ...shape, gathers: true }, k, d) <= workgroupBytes
  return { ...shape, gathers: isFitting && 4 * gatheredWords(k, d) <= gatheredBytes }
}

const tileBytes = ({ tilePoints, stride }: StagedShape) => 16 * tilePoints * stride

const gatheredWords = (k: number, d: number) => k * (8 * Math.ceil(d / 4) + 1)

/** Bytes that a workgroup takes, as the files of this folder lay them out. */
export function workgroupMemory(shape: StagedShape, k: number, d: number): number {
  const { columns, vectors, clusterTiles, rows, threads, tilePoints } = shape
  const { slices, sliceQuads, stride, keepsCentroids, gathers } = shape
  const results = (lanePoints / 2) * rows * odd(columns)
  const stagedRows = 4 * sliceQuads * (keepsCentroids ? slices : 1)
  const tileNames = clusterTiles > 1 ? 2 * results : 1
  const lists = 4 * (tilePoints + listSpare) + 3 * threads
  const numbers = shape.byScores ? 1 : 2 * results
  const words = tileNames + numbers + lists + (gathers ? gatheredWords(k, d) : 1)
  const vectorsOfAll = tilePoints * stride + results + (stagedRows + 1) * columns * vectors
  return 16 * vectorsOfAll + 4 * words + otherBytes
}
