import { Draws, streams } from '../init/philox'
import type { Slices } from '../slices'
import { symmetricEigen, type Eigenpairs } from './symmetric-eigen'
import { addMultiple, dot, norm, scale } from './vectors'

/** A symmetric positive semi-definite matrix, known by what it makes of vectors. */
export type SymmetricOperator = (vectors: readonly Float64Array[], slices: Slices) => Promise<Float64Array[]>

/** Vectors iterated beyond those wanted: what lies just behind the wanted ones slows them less. */
const spare = 6

/** Blocks A⁰V, A¹V, ... of one subspace. */
const depth = 8

/** Restarts after which nearly equal eigenvalues are taken as equal; others have converged long before. */
const maxRestarts = 60

/** A residual this small against the largest eigenvalue counts as none. */
const tolerance = 1e-10

/** A direction left with less than this share of the largest image is rounding, and no direction. */
const nothingNew = 1e-13

/**
 * The largest eigenpairs by block Lanczos with full orthogonalisation and restarts: G. H. Golub and R. Underwood,
 * "The block Lanczos method for computing eigenvalues", Mathematical Software III (1977). The start is drawn with a
 * fixed seed, so that the same matrix always gives the same pairs. Cost: about `(wanted + 6) * 8` images a restart.
 * @param m rows of the matrix, more than (wanted + 6) * 8
 * @throws LabError `cancelled`
 */
export async function leadingEigenpairs(
  apply: SymmetricOperator,
  m: number,
  wanted: number,
  slices: Slices,
): Promise<Eigenpairs> {
  let start = await orthonormalised(randomVectors(m, wanted + spare), [], 0, slices)
  for (let restart = 0; ; restart++) {
    const space = await krylovSpace(apply, start, slices)
    const ritz = await ritzPairs(space, start.length, slices)
    const converged = ritz.residuals.slice(0, wanted).every((one) => one <= tolerance * ritz.values[0])
    if (converged || space.complete || restart === maxRestarts)
      return { values: ritz.values.slice(0, wanted), vectors: ritz.vectors.slice(0, wanted) }
    start = await orthonormalised(ritz.vectors, [], 0, slices)
  }
}

function randomVectors(m: number, count: number): Float64Array[] {
  const draws = new Draws(0, streams.projection)
  return Array.from({ length: count }, (_, l) =>
    Float64Array.from({ length: m }, (_, j) => draws.uniform(l, j) - 0.5),
  )
}

interface Space {
  /** Orthonormal. */
  readonly basis: readonly Float64Array[]
  /** Of the basis, one each. */
  readonly images: readonly Float64Array[]
  /** The images lie in the space themselves: its eigenpairs are exact. */
  readonly complete: boolean
}

async function krylovSpace(
  apply: SymmetricOperator,
  start: readonly Float64Array[],
  slices: Slices,
): Promise<Space> {
  const basis: Float64Array[] = []
  const images: Float64Array[] = []
  let block = start
  for (let power = 0; power < depth && block.length > 0; power++) {
    basis.push(...block)
    const blockImages = await apply(block, slices)
    images.push(...blockImages)
    const largest = Math.max(...images.map((image) => norm(image)))
    const copies = blockImages.map((image) => image.slice())
    block = await orthonormalised(copies, basis, nothingNew * largest, slices)
  }
  return { basis, images, complete: block.length === 0 }
}

/**
 * Gram-Schmidt in place against a basis and each other, twice, which is enough (Parlett 1980); vectors of which no
 * more than `least` remains are left out.
 */
async function orthonormalised(
  vectors: readonly Float64Array[],
  basis: readonly Float64Array[],
  least: number,
  slices: Slices,
): Promise<Float64Array[]> {
  const done: Float64Array[] = []
  for (const vector of vectors) {
    await slices.next()
    subtractAll(vector, basis, done)
    const left = norm(vector)
    if (!(left > least)) continue
    scale(vector, 1 / left)
    subtractAll(vector, basis, done)
    scale(vector, 1 / norm(vector))
    done.push(vector)
  }
  return done
}

function subtractAll(vector: Float64Array, ...bases: readonly (readonly Float64Array[])[]): void {
  for (const basis of bases) for (const one of basis) addMultiple(vector, -dot(one, vector), one)
}

/** Rayleigh and Ritz: the best `count` approximate eigenpairs in a space, and how far each is from one. */
async function ritzPairs({ basis, images }: Space, count: number, slices: Slices) {
  const size = basis.length
  const small = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    for (let j = i; j < size; j++) {
      const [one, other] = [dot(basis[i], images[j]), dot(basis[j], images[i])]
      small[i * size + j] = small[j * size + i] = (one + other) / 2
    }
    await slices.next()
  }
  const { values, vectors } = await symmetricEigen(small, size, slices)
  const leading = vectors.slice(0, count)
  const ritz: Float64Array[] = []
  const residuals: number[] = []
  for (const [l, weights] of leading.entries()) {
    const vector = combined(basis, weights)
    const residual = combined(images, weights)
    addMultiple(residual, -values[l], vector)
    ritz.push(vector)
    residuals.push(norm(residual))
    await slices.next()
  }
  return { values, vectors: ritz, residuals }
}

function combined(vectors: readonly Float64Array[], weights: Float64Array): Float64Array {
  const sum = new Float64Array(vectors[0].length)
  for (const [i, vector] of vectors.entries()) addMultiple(sum, weights[i], vector)
  return sum
}
