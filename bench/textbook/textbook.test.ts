import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '@engine/engines'
import { generator, pointsOf } from '@tests/parity/fixtures'
import { compare, largestDifference, offeredIds, type Turns } from './compare'
import { Textbook } from './programs'
import { comparisonTable, fasterTextbook } from './report'
import { workloads } from './workloads'

const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-textbook-test-'))
const available = await engines.cpu.availability()
let textbook: Textbook

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!available.available)('textbook programs (compiled where the addon is)', () => {
  beforeAll(async () => {
    textbook = await Textbook.compile(folder)
  })

  it('end at the centroids of our variants, from the same start after as many iterations', async () => {
    for (const workload of workloads(0.01)) {
      const turns = await compare(textbook, { ...workload, iterations: 5 }, 1)
      const programs = workload.d === 2 ? ['pairs', 'rescan'] : ['rescan']
      expect(turns.map(({ id }) => id)).toEqual([...programs, ...offeredIds()])
      expect(Math.max(...turns.map(({ difference }) => difference))).toBeLessThan(1e-6)
    }
  })

  it('keep the centroid of a cluster without members, and reach points however far', async () => {
    const points = pointsOf(Float32Array.of(-1, -1, -1, -1, 1, 1, 1, 0.5), 4, 2)
    // The second centroid is nearest to no point; ties go to the first.
    const input = await textbook.give(points, Float32Array.of(-1, -1, -1, -1, 0.875, 0.75))
    for (const id of ['pairs', 'rescan'] as const) {
      const { centroids } = await textbook.run(id, input, 3)
      expect([...centroids]).toEqual([-1, -1, -1, -1, 1, 0.75])
    }
  })

  it('say what is wrong with their input', async () => {
    const points = pointsOf(Float32Array.from({ length: 12 }, generator(1)), 4, 3)
    const input = await textbook.give(points, points.x.slice(0, 6))
    await expect(textbook.run('pairs', input, 1)).rejects.toThrow('pairs have 2 coordinates, not 3')
    await expect(textbook.run('rescan', { ...input, n: 5 }, 1)).rejects.toThrow('holds 12 numbers only')
  })
})

describe('the table', () => {
  const turns: Turns[] = [
    { id: 'pairs', ms: [2, 4, 3], difference: 1e-8 },
    { id: 'rescan', ms: [9, 9, 9], difference: 0 },
    { id: 'sequential', ms: [2, 3, 3], difference: 2e-8 },
    { id: 'sequential float64', ms: [4, 6, 6], difference: 0 },
  ]

  it('holds ours against the faster textbook program, turn by turn', () => {
    expect(fasterTextbook(turns)).toBe('pairs')
    const table = comparisonTable([{ workload: workloads()[0], turns }])
    expect(table.split('\n').at(-1)).toBe(
      '| blobs | 100,000, 2, 5 | 300 | 3.00 (2.00) | 9.00 (9.00) | 3.00 (2.00) | - | 6.00 (4.00) | - | 1.00 (1.00) | - | 2.00 (2.00) | 2e-8 |',
    )
  })

  it('measures differences in ranges of their column', () => {
    const [a, b] = [Float64Array.of(0, 10, 1, 20), Float64Array.of(0, 15, 1.5, 20)]
    expect(largestDifference(a, b, Float64Array.of(1, 10))).toBe(0.5)
  })
})
