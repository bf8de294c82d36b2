import { createHash, type Hash } from 'node:crypto'
import type { Coordinates } from '../engines/engine'
import { Slices } from '../slices'

/** Labels hashed together (spec section 3), so that parts of them can be hashed by others. */
const labelsOfPart = 1 << 20
/** Between two looks at the clock. */
const bytesOfBlock = 1 << 20

/** What a result is told apart by, engine units. */
export interface HashedResult {
  readonly n: number
  readonly d: number
  readonly iterations: number
  /** (n) */
  readonly labels: Int32Array
  /** (k, d); a row of a dropped cluster is NaN. */
  readonly centroids: Coordinates
  readonly inertia: number
}

/**
 * `result_sha256`: the SHA-256 of n, d, k and the iterations as uint64, the SHA-256 of each 2^20 labels (int32), the
 * centroids in the precision of the run (NaN as the quiet one, -0 as +0) and the inertia as float64, all little endian.
 * @throws LabError `cancelled`
 */
export async function resultHash(result: HashedResult, signal: AbortSignal): Promise<string> {
  const { n, d, iterations, labels, centroids, inertia } = result
  const slices = new Slices(signal)
  const hash = createHash('sha256')
  hash.update(bytesOf(BigUint64Array.from([n, d, centroids.length / d, iterations], BigInt)))
  for (let start = 0; start < labels.length; start += labelsOfPart) {
    const part = createHash('sha256')
    await updateInBlocks(part, bytesOf(labels.subarray(start, start + labelsOfPart)), slices)
    hash.update(part.digest())
  }
  await updateInBlocks(hash, bytesOf(canonical(centroids)), slices)
  hash.update(bytesOf(Float64Array.of(inertia)))
  return hash.digest('hex')
}

async function updateInBlocks(hash: Hash, bytes: Uint8Array, slices: Slices): Promise<void> {
  for (let at = 0; at < bytes.length; at += bytesOfBlock) {
    hash.update(bytes.subarray(at, at + bytesOfBlock))
    await slices.next()
  }
}

/** One text for what is the same number: assigning NaN makes V8's quiet one, 0x7fc00000 in float32. */
function canonical(centroids: Coordinates): Coordinates {
  return centroids.map((value) => (Number.isNaN(value) ? Number.NaN : value + 0))
}

/** Every machine that Node runs these engines on is little endian. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
