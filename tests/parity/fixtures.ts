import type { Points } from '@engine/engines/engine'

/** A small seeded generator (sfc32 of PractRand): uniform numbers in [0, 1) with 32 bits. */
export function generator(seed: number): () => number {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1]
  const next = () => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return (t >>> 0) / 2 ** 32
  }
  for (let warm = 0; warm < 12; warm++) next()
  return next
}

/** Float32 points in engine units from (n, d) values: brought to unit scale by a power of two. */
export function unitPoints(values: Float64Array, n: number, d: number): Points {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(Math.fround(value))), 0)
  const exponent = largest === 0 ? 0 : Math.floor(Math.log2(largest)) + 1
  return pointsOf(
    Float32Array.from(values, (value) => Math.fround(value) * 2 ** -exponent),
    n,
    d,
  )
}

/** (n, d) coordinates in engine units, with the largest magnitude of each column. */
export function pointsOf(x: Float32Array, n: number, d: number): Points {
  return { x, n, d, maxAbs: magnitudes(x, d) }
}

/** (d) One loop over plain numbers: trials have a billion coordinates. */
function magnitudes(x: Float32Array, d: number): Float32Array {
  const largest = new Float32Array(d)
  for (let at = 0, j = 0; at < x.length; at++) {
    const size = Math.abs(x[at])
    if (size > largest[j]) largest[j] = size
    if (++j === d) j = 0
  }
  return largest
}

/** As the dataset holds them: each column centred on its first value before the conversion to float32. */
export function centredPoints(values: Float64Array, n: number, d: number): Points {
  return unitPoints(
    values.map((value, at) => value - values[at % d]),
    n,
    d,
  )
}

export interface PointsSpec {
  readonly n: number
  readonly d: number
  readonly seed: number
  /** Number of blobs; 0 for uniform noise. */
  readonly blobs?: number
  /** Units of the values before they are brought to unit scale. */
  readonly scale?: number
  readonly offset?: number
}

/** Uniform noise or blobs. */
export function randomPoints({ n, d, seed, blobs = 0, scale = 1, offset = 0 }: PointsSpec): Points {
  const next = generator(seed)
  const centres = Float64Array.from({ length: blobs * d }, () => next() * 10)
  const values = new Float64Array(n * d)
  for (let i = 0; i < n; i++) {
    const centre = blobs === 0 ? -1 : Math.floor(next() * blobs)
    for (let j = 0; j < d; j++) {
      const noise = next() + next() - 1
      const value = centre < 0 ? noise : centres[centre * d + j] + noise
      values[i * d + j] = offset + scale * value
    }
  }
  return centredPoints(values, n, d)
}

/** Whole numbers in -side..side, many of them equal: distances are exact and ties are common. */
export function latticePoints(n: number, d: number, side: number, seed: number): Points {
  const next = generator(seed)
  return unitPoints(
    Float64Array.from({ length: n * d }, () => Math.floor(next() * (2 * side + 1)) - side),
    n,
    d,
  )
}

/** k rows spread over the points, as centroids: distinct rows where n allows it. */
export function spreadRows({ x, n, d }: Points, k: number): Float32Array {
  const centroids = new Float32Array(k * d)
  for (let c = 0; c < k; c++) {
    const row = Math.floor((c * n) / k)
    centroids.set(x.subarray(row * d, (row + 1) * d), c * d)
  }
  return centroids
}

/** Centroids of which every `every`-th lies far from all points, so that it stays empty. */
export function withEmptyClusters(centroids: Float32Array, d: number, every: number): Float32Array {
  return centroids.map((value, at) => (Math.floor(at / d) % every === every - 1 ? 3 + at / 1024 : value))
}
