import type { Slices } from '../slices'
import { unitVector } from './vectors'

/** Rotations leave a matrix of any size diagonal after about ten sweeps; this many are never needed. */
const maxSweeps = 60

/** Eigenvalues in descending order, and an orthonormal eigenvector for each. */
export interface Eigenpairs {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
}

/**
 * All eigenpairs of a symmetric matrix (m, m), row-major, by cyclic Jacobi rotations: H. Rutishauser, "The Jacobi
 * method for real symmetric matrices", Numerische Mathematik 9 (1966). An element counts as zero when it is a
 * rounding of the two diagonal elements it joins (Demmel and Veselić 1992), so that small eigenvalues of a graded
 * matrix keep their digits. Cost about 30 m³; the matrix is used up.
 * @throws LabError `cancelled`
 */
export async function symmetricEigen(matrix: Float64Array, m: number, slices: Slices): Promise<Eigenpairs> {
  const vectors = Array.from({ length: m }, (_, i) => unitVector(m, i))
  let rotated = true
  for (let sweep = 0; rotated && sweep < maxSweeps; sweep++) {
    rotated = false
    for (let p = 0; p < m; p++) {
      for (let q = p + 1; q < m; q++) {
        if (isNegligible(matrix, m, p, q)) continue
        rotate(matrix, m, p, q, vectors)
        rotated = true
      }
      await slices.next()
    }
  }
  const order = vectors.map((_, i) => i).sort((a, b) => matrix[b * m + b] - matrix[a * m + a])
  return {
    values: Float64Array.from(order, (i) => matrix[i * m + i]),
    vectors: order.map((i) => vectors[i]),
  }
}

function isNegligible(a: Float64Array, m: number, p: number, q: number): boolean {
  const joined = Math.sqrt(Math.abs(a[p * m + p])) * Math.sqrt(Math.abs(a[q * m + q]))
  return Math.abs(a[p * m + q]) <= Number.EPSILON * joined
}

/** One rotation in the plane (p, q) that makes their common element zero. */
function rotate(a: Float64Array, m: number, p: number, q: number, vectors: readonly Float64Array[]): void {
  const joint = a[p * m + q]
  const theta = (a[q * m + q] - a[p * m + p]) / (2 * joint)
  // The smaller root of t² + 2 theta t - 1 = 0; for a huge theta its square would overflow.
  const t =
    Math.abs(theta) > 1e150 ? 0.5 / theta : Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1))
  const cosine = 1 / Math.sqrt(t * t + 1)
  const sine = t * cosine
  a[p * m + p] -= t * joint
  a[q * m + q] += t * joint
  a[p * m + q] = 0
  a[q * m + p] = 0
  for (let i = 0; i < m; i++) {
    if (i === p || i === q) continue
    const inP = a[p * m + i]
    const inQ = a[q * m + i]
    a[p * m + i] = a[i * m + p] = cosine * inP - sine * inQ
    a[q * m + i] = a[i * m + q] = sine * inP + cosine * inQ
  }
  const vectorP = vectors[p]
  const vectorQ = vectors[q]
  for (let i = 0; i < m; i++) {
    const inP = vectorP[i]
    const inQ = vectorQ[i]
    vectorP[i] = cosine * inP - sine * inQ
    vectorQ[i] = sine * inP + cosine * inQ
  }
}
