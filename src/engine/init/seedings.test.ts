import { describe, expect, it } from 'vitest'
import { randomPoints } from '@tests/parity/fixtures'
import { kMeansParallel } from './k-means-parallel'
import { candidatesFor, kMeansPlusPlus } from './k-means-plus-plus'
import { Draws, streams } from './philox'
import { randomRows } from './random'
import { typescriptKernel } from './typescript-kernel'

const never = new AbortController().signal
const nothing = () => undefined

/** k-means++ written straight from its definition, with plain loops and no blocks. */
function plainKMeansPlusPlus(x: Float32Array, n: number, d: number, k: number, seed: number): number[] {
  const draws = new Draws(seed, streams.kMeansPlusPlus)
  const squared = (a: number, b: number) => {
    let sum = 0
    for (let j = 0; j < d; j++) sum += (x[a * d + j] - x[b * d + j]) ** 2
    return sum
  }
  const rows = [draws.below(n, 0, 0)]
  while (rows.length < k) {
    const nearest = Array.from({ length: n }, (_, i) => Math.min(...rows.map((row) => squared(i, row))))
    const total = nearest.reduce((sum, value) => sum + value, 0)
    const tried = Array.from({ length: candidatesFor(k) }, (_, l) => {
      let left = draws.uniform(rows.length, l) * total
      const row = nearest.findIndex((value) => (left -= value) < 0)
      const potential = nearest.reduce((sum, value, i) => sum + Math.min(value, squared(i, row)), 0)
      return { row, potential }
    })
    rows.push(tried.reduce((best, one) => (one.potential < best.potential ? one : best)).row)
  }
  return rows
}

describe('random rows', () => {
  it('are distinct, within range, and the same for a seed', () => {
    const rows = randomRows(10, 10, 5)
    expect([...rows].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(randomRows(1000, 7, 5)).toEqual(randomRows(1000, 7, 5))
    expect(randomRows(1000, 7, 6)).not.toEqual(randomRows(1000, 7, 5))
  })

  it('take every row about equally often', () => {
    const counts = new Array<number>(10).fill(0)
    for (let seed = 0; seed < 5000; seed++) for (const row of randomRows(10, 3, seed)) counts[row]++
    for (const count of counts) expect(Math.abs(count - 1500)).toBeLessThan(150)
  })
})

describe('k-means++', () => {
  it('picks the rows that the definition picks', async () => {
    const { x, n, d } = randomPoints({ n: 3000, d: 3, seed: 11 })
    for (const seed of [1, 2, 3]) {
      const state = typescriptKernel.open(x, n, d)
      const rows = await kMeansPlusPlus(state, n, 6, seed, nothing)
      expect([...rows]).toEqual(plainKMeansPlusPlus(x, n, d, 6, seed))
    }
  })

  it('fills up with distinct rows when there are fewer distinct points than k', async () => {
    const x = new Float32Array(100).fill(0.5)
    x.fill(0.75, 50)
    const rows = await kMeansPlusPlus(typescriptKernel.open(x, 100, 1), 100, 8, 1, nothing)
    expect(new Set(rows).size).toBe(8)
    expect(new Set([x[rows[0]], x[rows[1]]]).size).toBe(2)
  })
})

describe('k-means||', () => {
  it('gives k distinct rows, the same for a seed, with a potential near that of k-means++', async () => {
    const { x, n, d } = randomPoints({ n: 5000, d: 2, seed: 3, blobs: 12 })
    const potential = async (rows: Int32Array) => typescriptKernel.open(x, n, d).commit(rows)
    const run = (seed: number) => kMeansParallel({ x, n, d }, typescriptKernel.open(x, n, d), 12, seed, never)
    const rows = await run(1)
    expect(new Set(rows).size).toBe(12)
    expect(await run(1)).toEqual(rows)
    expect(await run(2)).not.toEqual(rows)
    const plusPlus = await kMeansPlusPlus(typescriptKernel.open(x, n, d), n, 12, 1, nothing)
    expect(await potential(rows)).toBeLessThan(2 * (await potential(plusPlus)))
  })

  it('ends with fewer distinct points than k', async () => {
    const x = new Float32Array(40).fill(0.25)
    const rows = await kMeansParallel({ x, n: 40, d: 1 }, typescriptKernel.open(x, 40, 1), 5, 1, never)
    expect(new Set(rows).size).toBe(5)
  })
})

describe('the TypeScript kernel', () => {
  const { x, n, d } = randomPoints({ n: 2500, d: 5, seed: 4 })

  it('tells what a commit would give, before it is made', async () => {
    const state = typescriptKernel.open(x, n, d)
    await state.commit(Int32Array.of(7))
    const potentials = await state.potentials(Int32Array.of(7, 100, 2400))
    expect(await state.commit(Int32Array.of(2400))).toBe(potentials[2])
    expect(potentials[0]).toBeGreaterThan(potentials[1])
  })

  it('counts every point once among the nearest, ties to the first row given', async () => {
    const state = typescriptKernel.open(Float32Array.of(0, 1, 2, 1), 4, 1)
    expect([...(await state.nearestCounts(Int32Array.of(0, 2)))]).toEqual([3, 1])
  })

  it('never picks a point that is already a centre, and the last one past the end', async () => {
    const state = typescriptKernel.open(Float32Array.of(0, 1, 0, 0), 4, 1)
    const total = await state.commit(Int32Array.of(0))
    expect([...(await state.pick(Float64Array.of(0, total / 2, total, total * 2)))]).toEqual([1, 1, 1, 1])
  })
})
