import { createHash, type Hash } from 'node:crypto'
import type { Coordinates } from '../engines/engine'
import { gathered, visitOnFirst, type Talking } from '../processes/collective'
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
  /** (n); of points that several processes hold those of this one. */
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
  const slices = new Slices(signal)
  const labels = new LabelHash()
  await labels.add(bytesOf(result.labels), slices)
  return hashWith(result, labels.digests(), slices)
}

/**
 * The same of labels that several processes hold, in the order of the ranks: the first one hashes them, part by part, and tells.
 * @throws LabError `cancelled`
 */
export async function resultHashOfAll(
  result: HashedResult,
  processes: Talking,
  signal: AbortSignal,
): Promise<string> {
  const slices = new Slices(signal)
  const labels = new LabelHash()
  await visitOnFirst(processes, bytesOf(result.labels), (bytes) => labels.add(bytes, slices))
  const [digests] = await gathered(processes, labels.digests())
  return hashWith(result, digests, slices)
}

/** Labels as they come, hashed in parts of a fixed number of them. */
class LabelHash {
  readonly #digests: Buffer[] = []
  #part = createHash('sha256')
  /** Of the part. */
  #bytes = 0

  async add(bytes: Uint8Array, slices: Slices): Promise<void> {
    const ofPart = labelsOfPart * Int32Array.BYTES_PER_ELEMENT
    for (let at = 0; at < bytes.length;) {
      const some = bytes.subarray(at, at + ofPart - this.#bytes)
      await updateInBlocks(this.#part, some, slices)
      at += some.length
      this.#bytes += some.length
      if (this.#bytes === ofPart) this.#end()
    }
  }

  digests(): Uint8Array {
    if (this.#bytes > 0) this.#end()
    return Buffer.concat(this.#digests)
  }

  #end(): void {
    this.#digests.push(this.#part.digest())
    this.#part = createHash('sha256')
    this.#bytes = 0
  }
}

async function hashWith(
  { n, d, iterations, centroids, inertia }: HashedResult,
  digests: Uint8Array,
  slices: Slices,
): Promise<string> {
  const hash = createHash('sha256')
  hash.update(bytesOf(BigUint64Array.from([n, d, centroids.length / d, iterations], BigInt)))
  hash.update(digests)
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
