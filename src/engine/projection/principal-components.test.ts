import { describe, expect, it } from 'vitest'
import { maxComponents } from '@shared/projection'
import { Slices } from '../slices'
import { CentredPoints } from './centred-points'
import { principalComponents } from './principal-components'

/** A repeatable number in -1..1. */
function noise(i: number): number {
  const value = Math.sin(i * 12.9898) * 43758.5453
  return 2 * (value - Math.floor(value)) - 1
}

/** x (n, d) as an engine holds it. */
function table(n: number, d: number, at: (i: number, j: number) => number) {
  const x = Float32Array.from({ length: n * d }, (_, p) => at(Math.floor(p / d), p % d))
  const maxAbs = new Float32Array(d)
  for (const [p, value] of x.entries()) maxAbs[p % d] = Math.max(maxAbs[p % d], Math.abs(value))
  return { x, n, d, maxAbs }
}

type Table = ReturnType<typeof table>

/** By the definition, in float64. */
function covariance({ x, n, d }: Table): number[][] {
  const mean = Array.from({ length: d }, (_, j) => {
    let sum = 0
    for (let i = 0; i < n; i++) sum += x[i * d + j] - x[j]
    return x[j] + sum / n
  })
  return mean.map((meanA, a) =>
    mean.map((meanB, b) => {
      let sum = 0
      for (let i = 0; i < n; i++) sum += (x[i * d + a] - meanA) * (x[i * d + b] - meanB)
      return sum / n
    }),
  )
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j]
  return sum
}

async function fit(points: Table) {
  const slices = new Slices()
  return await principalComponents(await CentredPoints.of(points, slices), slices)
}

/** What makes them the principal components: orthonormal, eigenvectors of the covariance, the largest of them. */
async function check(points: Table, precision = 1e-9) {
  const matrix = covariance(points)
  const found = await fit(points)
  const { directions, variances, totalVariance } = found
  const trace = matrix.reduce((sum, row, j) => sum + row[j], 0)
  expect(directions).toHaveLength(Math.min(maxComponents, points.d))
  expect(Math.abs(totalVariance - trace)).toBeLessThanOrEqual(1e-12 * trace)
  for (const [c, direction] of directions.entries()) {
    for (const [other, its] of directions.entries())
      expect(Math.abs(dot(direction, its) - Number(c === other))).toBeLessThan(1e-12)
    const residual = matrix.map((row, j) => dot(row, direction) - variances[c] * direction[j])
    expect(Math.sqrt(dot(residual, residual))).toBeLessThanOrEqual(precision * variances[0])
    if (c > 0) expect(variances[c]).toBeLessThanOrEqual(variances[c - 1])
    const largest = direction.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0)
    expect(largest).toBeGreaterThan(0)
  }
  // Nothing larger was passed over: without them, no vector is stretched further than by the last of them.
  const last = variances[variances.length - 1]
  let vector = Float64Array.from({ length: points.d }, (_, j) => noise(j + 0.5))
  for (let step = 0; step < 200; step++) {
    for (const direction of directions) {
      const along = dot(direction, vector)
      vector = vector.map((value, j) => value - along * direction[j])
    }
    const length = Math.sqrt(dot(vector, vector))
    if (length < 1e-13 || points.d <= maxComponents) return found
    vector = vector.map((value) => value / length)
    const image = Float64Array.from(matrix, (row) => dot(row, vector))
    expect(dot(vector, image)).toBeLessThanOrEqual(last + 1e-9 * variances[0])
    vector = image.map((value) => value / variances[0])
  }
  return found
}

describe('principal components', () => {
  it.each([
    ['a few features', table(500, 7, (i, j) => noise(i * 7 + j) * (j + 1) * 0.1 + noise(i) * 0.3)],
    ['features without structure', table(300, 40, (i, j) => noise(i * 40 + j))],
    ['more features than points', table(6, 30, (i, j) => noise(i * 30 + j))],
    ['scales that differ by billions', table(200, 5, (i, j) => noise(i * 5 + j) * 10 ** (-3 * j))],
    ['duplicated points and duplicated features', table(90, 12, (i, j) => noise((i % 3) * 6 + (j % 6)))],
    ['a constant beside a feature', table(50, 2, (i, j) => (j === 0 ? 0.9 : noise(i) * 1e-6))],
    ['one feature', table(50, 1, (i) => noise(i))],
    ['300 features', table(400, 300, (i, j) => noise(i * 300 + j) * 0.97 ** j)],
    ['300 features without structure', table(400, 300, (i, j) => noise(i * 300 + j))],
    ['300 features of 5 points', table(5, 300, (i, j) => noise(i * 300 + j))],
    ['1100 features, more than a matrix is made for', table(40, 1100, (i, j) => noise(i * 1100 + j))],
  ])('of %s are the eigenvectors of the covariance', async (_what, points) => {
    await check(points)
  })

  it('keep the digits of a feature a billion times smaller than the others', async () => {
    const points = table(200, 3, (i, j) => noise(i * 3 + j) * [0.9, 0.5e-4, 1e-9][j])
    const { directions, variances } = await fit(points)
    expect(Math.abs(directions[2][2])).toBeCloseTo(1, 12)
    const third = table(200, 1, (i) => points.x[i * 3 + 2])
    const { variances: alone } = await fit(third)
    expect(variances[2] / alone[0]).toBeGreaterThan(0.9)
    expect(variances[2] / alone[0]).toBeLessThanOrEqual(1 + 1e-9)
  })

  it.each([
    ['constant features', table(7, 3, (_i, j) => [0.1, 0.7, -0.3][j])],
    ['one point', table(1, 3, (_i, j) => j + 0.1)],
    ['one point of many features', table(1, 400, (_i, j) => noise(j))],
  ])('of %s are the axes, with no variance at all', async (_what, points) => {
    const { directions, variances, totalVariance } = await fit(points)
    expect(totalVariance).toBe(0)
    expect(new Set(variances)).toEqual(new Set([0]))
    for (const [c, direction] of directions.entries()) expect(direction.indexOf(1)).toBe(c)
  })

  it('have the first of equal loadings positive, whichever way the points are turned', async () => {
    const along = (sign: number) => table(10, 2, (i, j) => noise(i) * (j === 0 ? 1 : sign))
    expect((await fit(along(-1))).directions[0][0]).toBeCloseTo(Math.SQRT1_2, 12)
    expect((await fit(along(-1))).directions[0][1]).toBeCloseTo(-Math.SQRT1_2, 12)
    expect((await fit(along(1))).directions[0][1]).toBeCloseTo(Math.SQRT1_2, 12)
  })

  it('are given up as soon as nobody wants them', async () => {
    const controller = new AbortController()
    const slices = new Slices(controller.signal)
    const points = await CentredPoints.of(
      table(20_000, 200, (i, j) => noise(i + j)),
      slices,
    )
    const fitting = principalComponents(points, slices)
    setTimeout(() => controller.abort(), 30)
    await expect(fitting).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
