import type { Coordinates } from '../engines/engine'
/**
 * The heavy primitives of the seedings, with one definition of their arithmetic, so that the TypeScript and
 * the native implementation give the same bits and therefore the same picks for a seed:
 *
 * - Distance: float64, `s = 0; for j in 0..d-1 { t = x[i*d+j] - c[j]; s = s + t*t }`, each operation rounded on
 *   its own (no fused multiply-add, no reassociation). SIMD runs over points, never over features.
 * - Sum over points: blocks of 1024 consecutive points; within a block 8 lanes, lane l adds points
 *   l, l+8, l+16, ... of the block in order (starting from 0); the block's sum is
 *   ((lane0+lane1)+(lane2+lane3)) + ((lane4+lane5)+(lane6+lane7)); block sums are added in order to one float64.
 * - Rows are indices of points; a centre is always a point, given by its row.
 */
export interface SeedingState {
  /**
   * For each candidate row c: the sum over points of min(D2[i], |x_i - x_c|^2). Leaves D2 as it is.
   * Before the first commit D2 is +Infinity everywhere.
   */
  potentials(candidates: Int32Array): Promise<Float64Array>
  /** D2[i] = min(D2[i], |x_i - x_row|^2) for every row given; answers the new sum of D2. */
  commit(rows: Int32Array): Promise<number>
  /**
   * For each target t in [0, sum of D2): the row where the running sum passes t. Blocks are skipped by their
   * sums in order; within the block points are added in index order from the sum before the block; the first
   * point whose running sum exceeds t is taken, points with D2 = 0 never. Where rounding lets no point of the
   * block pass, the search goes on in the next block from the sum before it; past the end of the dataset, the
   * last point with D2 > 0.
   */
  pick(targets: Float64Array): Promise<Int32Array>
  /** A copy of D2 for rows start..start+count-1 (k-means|| draws per point). */
  distances(start: number, count: number): Promise<Float64Array>
  /** For each given row (distinct), the number of points nearest to it; ties to the first in the list. */
  nearestCounts(rows: Int32Array): Promise<Float64Array>
  /**
   * Greedy k-means++ in one call: the loop of k-means-plus-plus.ts from the row `first` on, with the draws of all its
   * rounds. Absent where a call costs nothing. `close` ends it early.
   * @param uniforms (centres after the first, candidates) in [0, 1).
   * @returns the rows chosen, `first` included; fewer when every point is a centre.
   */
  greedy?(first: number, uniforms: Float64Array, candidates: number): Promise<Int32Array>
  /** At any moment; what is under way ends soon, and its answer is meaningless. */
  close(): void
}

/** Where the primitives are carried out. */
export interface SeedingProvider {
  readonly name: 'native' | 'cuda' | 'webgpu' | 'typescript'
  /** `x` (n, d) row-major; kept, not copied, until close. */
  open(x: Coordinates, n: number, d: number): SeedingState | Promise<SeedingState>
}

/** One that is ready at once. */
export interface SeedingKernel extends SeedingProvider {
  open(x: Coordinates, n: number, d: number): SeedingState
}
