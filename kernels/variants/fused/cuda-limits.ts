import type { CudaFacts, PlanQuestion } from '@shared/plan'
import type { RunShape } from '@shared/variant'

/**
 * What registers and shared memory of a device hold, regime by regime: the arithmetic of the kernels' own layouts, so that a plan
 * knows beforehand what the native code would refuse. Every number has its counterpart in `regimes/<regime>/`.
 */

/** Left to labels, graphs and others. */
const spareBytes = 2 ** 28

/** Whether there is memory for what a regime keeps. */
export function hasRoom({ hints }: PlanQuestion<CudaFacts>, bytes: number): boolean {
  return hints.memoryShort !== true && (hints.freeBytes ?? Infinity) >= bytes + spareBytes
}

const float = 4
/** Static shared memory of the kernels, generously. */
const spareShared = 1024
const warp = 32
const maxThreads = 1024
const minThreads = 128

/** Features that kernels are compiled for: the fewest that hold d, up to 32. */
export function widthOf(d: number): number {
  return [2, 4, 8, 16].find((width) => d <= width) ?? 32
}

/** `staged-points`: two tiles for each of the fewest warps, the centroids, also as products want them, and sums. */
export function stagedPointsFit({ d, k }: RunShape, device: CudaFacts): boolean {
  const scored = d > 32 || (k > 8 && k * d > 144)
  const points = d <= 32 ? 32 : 16
  const tile = points * (d % 8 === 0 ? d + 4 : d) + 4
  const image = scored ? Math.ceil(k / 8) * (Math.ceil(d / 16) * 32 + 2) * 4 : 0
  const sums = 2 * k * d + k + d
  const words = 4 * (2 * tile + points) + Math.ceil(k / 4) * 4 * (d + 1) + image + sums
  const held = d <= 64 && k <= (d > 32 ? 64 : 128)
  return held && float * words + spareShared <= device.sharedBytesPerBlock
}

/** Clusters up to which `staged-points` takes less time than `matrix-scores`: with few features only few repay that points pass memory. */
export function maxStaged(d: number): number {
  return d <= 4 ? 32 : d <= 8 ? 64 : 128
}

/** `row-pieces`: the centroids as products want them, and two pieces of rows for each of the fewest warps. */
export function rowPiecesFit({ d, k }: RunShape, device: CudaFacts): boolean {
  const columns = [1, 2, 4, 8, 16].find((count) => k <= 8 * count)
  if (columns === undefined) return false
  const image = columns * (Math.ceil(d / 32) * 2 * 32 * 16 + 8 * float)
  const pieces = (minThreads / warp) * 2 * 16 * (32 + 4) * float
  return image + pieces + spareShared <= device.sharedBytesPerBlock
}

/** Bytes of the cluster of each point, the sums and the counts, which are kept from pass to pass. */
export function keptSumsBytes({ n, d, k }: RunShape): number {
  return n + k * (8 * d + 4)
}

/** `matrix-scores`: the centroids in float16, 32 at a time; their rows in float32 beside them only where there is room. */
export function matrixScoresFit({ d, k }: RunShape, device: CudaFacts): boolean {
  const width = widthOf(d)
  const words = width <= 2 ? 1 : width <= 8 ? 2 : width / 4
  const image = Math.ceil(k / 32) * (words * 32 + 16) * 16
  return d <= 32 && image + float * width + spareShared <= device.sharedBytesPerBlock
}

/** What the two regimes of whole runs have in shared memory. */
function wholeRunBytes({ d, k }: RunShape, threads: number): number {
  return threads * (d < 4 ? 4 : 8) * float + k * ((d + 1) * 8 + d * float + 4)
}

/** `register-resident`: a thread a point, one block a multiprocessor, one of them the coordinator. */
export function registersHoldPoints(shape: RunShape, device: CudaFacts): boolean {
  const workers = Math.max(2, device.multiprocessors) - 1
  const full = Math.ceil(shape.n / warp)
  const most = (workers * maxThreads) / warp
  const gaps = Math.min(Math.floor(full / 12), most - Math.min(full, most))
  const share = Math.ceil((full + gaps) / workers)
  const renewing = Math.ceil(shape.k / warp) * warp
  const threads = Math.min(maxThreads, Math.max(share * warp, renewing, minThreads))
  return share * warp <= maxThreads && wholeRunBytes(shape, threads) + 8192 <= device.sharedBytesPerBlock
}

/** `message-passing`: every block reads the sums of all blocks in every iteration, so clusters and blocks must be few. */
export function messagesAreFew({ n, d, k }: RunShape, device: CudaFacts): boolean {
  const maxClusters = 64
  const maxMessages = 1100
  const messages = k * d + (d === 1 ? 1 : 0)
  const warps = Math.ceil(n / warp)
  const balanced = Math.ceil(Math.sqrt((2.3 / 50) * messages * warps))
  const share = Math.min(Math.max(balanced, minThreads / warp), maxThreads / warp)
  const workers = Math.ceil(warps / share)
  const readers = Math.min(32, 2 ** Math.ceil(Math.log2(workers)))
  const reading = Math.ceil((messages * readers) / warp) * warp
  if (k > maxClusters || messages * workers > maxMessages || workers > 4 * warp) return false
  return Math.max(share * warp, reading, minThreads) <= maxThreads && workers < device.multiprocessors
}

/** `neighbour-boxes`: centroids, one copy of the sums and a list for each warp, of up to 1024. */
export function neighbourListsFit({ d, k }: RunShape, device: CudaFacts): boolean {
  const width = widthOf(d)
  const rowWords = width <= 4 ? width : width + 4
  const warps = (width === 2 || width === 32 ? 512 : 768) / warp
  const vectors = (bytes: number) => Math.ceil(bytes / 16) * 16
  const sums = vectors(float * (k * rowWords + width))
  const lists = vectors(sums + 4 * k * (2 * d + 1))
  return lists + 2 * warps * Math.min(k + (k % 2), 1024) <= device.sharedBytesPerBlock - spareShared
}

/** `point-bounds`: open points of a visit and the centroids of a round, both in float32 and in float16. */
export function pointVisitsFit({ d, k }: RunShape, device: CudaFacts): boolean {
  const row = Math.ceil(d / 4) * 4 + 4
  const halfRow = Math.ceil(d / 16) * 16 + 8
  const bytes = float * (65 * row + 32 * Math.max(row, halfRow)) + 2 * (64 * halfRow + k)
  return bytes + spareShared <= device.sharedBytesPerBlock
}

/** Bytes that `matrix-filter` keeps: points in float16, cell by cell, what is known of each, images of the centroids, lists and sums. */
export function matrixFilterBytes({ n, d, k }: RunShape): number {
  const steps = d > 128 ? Math.ceil(d / 64) * 4 : Math.ceil(d / 32) * 2
  const row = steps * 16 * 2
  const tiles = Math.ceil(k / 128)
  const image = tiles * steps * 16 * 128 * 2
  const cells = Math.min(Math.max(Math.min(Math.floor(2 ** 25 / image), Math.floor(n / 2048)), 1), 128)
  return (n + cells * 384) * row + n * 68 + cells * image + 12 * k * (d + 4)
}
