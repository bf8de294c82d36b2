import { describe, expect, it } from 'vitest'
import type { DeviceFloors, Engine } from '@engine/engines/engine'
import { contenderOn, withFault } from '@tests/parity/faulty-engine'
import { referenceEngine } from '@tests/parity/reference-engine'
import { cellsOf, fittingPoints, randomCells, type Cell } from './cells'
import { geometricMean, heatMaps, shareOfGoal, valueOf } from './heat-map'
import { dataMaker, kinds, makeData } from './kinds'
import { readGridOptions } from './options'
import { picture } from './picture'
import { markdown } from './report'
import type { GridReport, GridRow } from './row'
import { runCell } from './run-cell'

const floors: DeviceFloors = {
  productsPerMs: 1e6,
  bytesPerMs: 1e6,
  matrixProductsPerMs: null,
  cacheBytes: 0,
  minMs: 0.001,
}
const options = { iterations: 3, repeats: 2, seconds: 5, work: 4e9, dataOf: dataMaker(11) }

async function rowOf(cell: Cell, engine: Engine = referenceEngine): Promise<GridRow> {
  const rows = await runCell(cell, [contenderOn(engine)], new Map([['cpu', floors]]), null, options)
  return rows[0]
}

describe('a cell of the grid', () => {
  it.each(kinds)('of %s is measured, with labels checked before and after', async (kind) => {
    const row = await rowOf({ kind, n: 400, d: 3, k: 7 })
    expect(row).toMatchObject({ outcome: 'measured', reason: null, labelsChecked: 800, iterations: 3 })
    expect(row.times?.measurements).toHaveLength(2)
    expect(row.floorMs).toBeCloseTo((400 * 3 * 7) / 1e6)
  })

  it('has no time where a label is wrong', async () => {
    const wrong = withFault(({ labels, ...read }) => ({
      ...read,
      labels: labels.map((label, i) => (i === 7 ? (label + 1) % 4 : label)),
    }))
    const row = await rowOf({ kind: 'normal', n: 300, d: 3, k: 4 }, wrong)
    expect(row).toMatchObject({ outcome: 'wrong', times: null, reason: '1 of 300 labels are inexact' })
  })
})

describe('the data of a cell', () => {
  it.each(kinds)('%s is the same for the same seed, another for another, in engine units', (kind) => {
    const shape = { n: 500, d: 5, k: 6 }
    const { points, centroids } = makeData(kind, shape, 1)
    expect(makeData(kind, shape, 1).points.x).toEqual(points.x)
    expect(makeData(kind, shape, 2).points.x).not.toEqual(points.x)
    const dataOf = dataMaker(1)
    for (const k of [shape.k, 3, shape.k]) {
      const made = makeData(kind, { ...shape, k }, 1)
      expect(dataOf({ ...shape, kind, k }).points.x).toEqual(made.points.x)
      expect(dataOf({ ...shape, kind, k }).centroids).toEqual(made.centroids)
    }
    expect(Math.max(...points.maxAbs)).toBeGreaterThanOrEqual(0.5)
    expect(Math.max(...points.maxAbs)).toBeLessThan(1)
    expect(centroids).toHaveLength(30)
  })

  it('is sorted, repeated, far out or of unit length as its name says', () => {
    const { x } = makeData('sorted', { n: 300, d: 2, k: 2 }, 1).points
    const first = Array.from({ length: 300 }, (_, i) => x[2 * i])
    expect(first).toEqual(first.toSorted((a, b) => a - b))
    const repeated = makeData('duplicates', { n: 1000, d: 2, k: 2 }, 1).points.x
    expect(new Set(repeated.filter((_, at) => at % 2 === 0)).size).toBeLessThanOrEqual(20)
    const skewed = makeData('skew', { n: 20_000, d: 1, k: 2 }, 1).points.x.toSorted()
    expect(Math.abs(skewed[19_999])).toBeGreaterThan(4 * Math.abs(skewed[19_900]))
    const unit = makeData('embeddings', { n: 50, d: 40, k: 2 }, 1).points
    const lengths = Array.from({ length: 50 }, (_, i) => Math.hypot(...unit.x.subarray(40 * i, 40 * i + 40)))
    for (const length of lengths) expect(length / lengths[0]).toBeCloseTo(1, 5)
  })
})

describe('cells', () => {
  it('have as many points as suit the engine, or those asked for, never fewer than clusters', () => {
    expect(fittingPoints(2, 10, 'cpu', false)).toBe(1_000_000)
    expect(fittingPoints(784, 1000, 'cuda', false)).toBe(61_224)
    expect(fittingPoints(64, 100, 'cpu', false, 1e9)).toBe(93_750)
    expect(fittingPoints(784, 100, 'cpu', false, 1e9)).toBe(7653)
    expect(fittingPoints(784, 1000, 'cpu', false, 1e9)).toBe(5000)
    const axes = { kinds: ['normal', 'skew'], d: [2, 3], k: [5, 500], n: [100, null] } as const
    const cells = cellsOf(axes, () => 1000)
    expect(cells).toHaveLength(2 * (2 + 4))
    expect(cells[0]).toEqual({ kind: 'normal', n: 100, d: 2, k: 5 })
  })

  it('drawn at random stay within the ends and are others for another seed', () => {
    const draw = (seed: number) => randomCells(30, kinds, () => 50_000, seed)
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
    for (const { n, d, k } of draw(1)) {
      expect(n).toBeGreaterThanOrEqual(Math.max(1000, k))
      expect(d >= 1 && d <= 1024 && k >= 2 && k <= 4096).toBe(true)
    }
  })
})

const cell: Cell = { kind: 'normal', n: 1000, d: 4, k: 10 }
const times = (best: number) => ({ best, median: best, measurements: [best] })
const measured: GridRow = {
  cell,
  ...{ engine: 'cpu', device: 'cpu', variant: 'fused', outcome: 'measured', reason: null },
  ...{ regime: 'tiled', why: null, openMs: 1, labelsChecked: 10, iterations: 10 },
  ...{ times: times(2), floorMs: 0.5, peer: { id: 'scikit-learn', times: times(4) } },
}

describe('heat maps', () => {
  it('have the ratio to the peer and to the floor, and how far the goal is', () => {
    expect(valueOf('peer', measured)).toBe(2)
    expect(valueOf('floor', measured)).toBe(4)
    expect(shareOfGoal('peer', measured)).toBeCloseTo(2 / 3)
    expect(shareOfGoal('floor', measured)).toBe(0.5)
    expect(shareOfGoal('peer', { ...measured, floorMs: 1.9 })).toBe(1)
    expect(shareOfGoal('peer', { ...measured, peer: null })).toBeNull()
    expect(geometricMean([1, 4])).toBe(2)
  })

  it('are drawn and written with every number, missed goals in bold and named', () => {
    const failed: GridRow = {
      ...measured,
      ...{ cell: { ...cell, d: 64 }, outcome: 'wrong', reason: '3 labels', times: null },
    }
    const [map] = heatMaps([measured, failed], false)
    const svg = picture('A map', 'peer', [map])
    expect(svg).toMatch(/>2\.00</)
    expect(svg).toMatch(/>–</)
    const report = { rows: [measured, failed] } as Partial<GridReport>
    const page = markdown({ ...emptyReport, ...report }, 'grid', new Map())
    expect(page).toContain('| 4 | **2.00** |')
    expect(page).toContain('| 64 | wrong |')
    expect(page).toContain('normal, N = 1,000, d = 64, k = 10: wrong: 3 labels')
    expect(page).toContain('## Cells that miss a goal')
    expect(page).toMatch(/goal missed in 1 of 1 cells/)
  })
})

const emptyReport: GridReport = {
  date: '2026-11-23T00:00:00.000Z',
  commit: 'abc',
  machine: { cpu: 'A processor', cores: 2, memoryBytes: 1, os: 'Linux', devices: [], versions: {} },
  seed: 11,
  missing: ['no python3 here has scikit-learn'],
  floors: { cpu: floors },
  rows: [],
}

describe('options of the grid', () => {
  it('are refused with the words that are known', () => {
    expect(() => readGridOptions(['--kinds', 'normal,odd'])).toThrow(/normal, uniform.*odd/)
    expect(() => readGridOptions(['-d', '2,x'])).toThrow(/whole numbers from 1 on/)
    expect(() => readGridOptions(['--engine', 'gpu'])).toThrow(/cpu, cuda, webgpu/)
    expect(() => readGridOptions(['--whatever'])).toThrow(/options as in --help/)
  })

  it('are the grid unless given', () => {
    const { axes, variants, random } = readGridOptions([])
    expect(axes.d).toContain(784)
    expect(axes.n).toEqual([null])
    expect(variants).toEqual(['fused'])
    expect(random).toBeNull()
    expect(readGridOptions(['-n', '1000,fit', '--variants', 'all'])).toMatchObject({ variants: null })
  })
})
