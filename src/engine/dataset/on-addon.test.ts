import { describe, expect, it } from 'vitest'
import { loadCpuAddon } from '../engines/native'
import { philox4x32 } from '../init/philox'
import { Slices } from '../slices'
import { coordinates } from './coordinates'
import { CategoryBlocks } from './category-blocks'
import { centreOf } from './column-centre'
import type { NumericColumn } from './dataset'
import { enginePoints } from './engine-points'
import { FeatureColumn } from './feature-column'
import { lowerMedian } from './lower-median'
import { momentsOf } from './moments'
import { NumberBlocks } from './number-blocks'
import { onAddon } from './on-addon'
import { IndicatorColumn } from './one-hot'
import { quantiles } from './order-statistics'
import { rowScaler } from './row-scaler'

const rows = 40_000
const slices = new Slices()

const drawn = new Uint32Array(4)

/** Uniform in 0..1, by position and stream. */
function uniform(stream: number, at: number): number {
  philox4x32([at, stream, 0, 0], [7, 0], drawn)
  return drawn[0] / 2 ** 32
}

const kinds: Record<string, (at: number) => number> = {
  'two decimals': (at) => Math.round(uniform(1, at) * 1e4) / 100,
  'many digits': (at) => uniform(2, at) - 0.5,
  'a few values': (at) => Math.floor(uniform(3, at) * 3),
  'far from zero': (at) => 1_600_000_000 + Math.floor(uniform(4, at) * 10),
  'one value': () => 0.1,
  'both signs, wide': (at) => (uniform(5, at) - 0.5) * 10 ** (20 * uniform(6, at)),
  'tiny, a unit of its own': (at) => uniform(7, at) * 2 ** -300,
  'huge, a unit of its own': (at) => (uniform(8, at) - 0.5) * 2 ** 300,
  ascending: (at) => at / 8,
  'a pattern that repeats': (at) => (at % 10) + uniform(13, at),
}

function columnOf(valueOf: (at: number) => number, missing = 0): NumericColumn {
  const blocks = new NumberBlocks()
  for (let row = 0; row < rows; row++) blocks.push(uniform(9, row) < missing ? NaN : valueOf(row))
  return blocks.finish()
}

/** The same column, which the addon cannot read. */
function computed(column: NumericColumn): NumericColumn {
  return { length: column.length, byteLength: column.byteLength, at: (row) => column.at(row) }
}

const chosen = Uint32Array.from({ length: rows }, (_, row) => row).filter((row) => uniform(10, row) < 0.7)

it('is there', () => {
  expect(loadCpuAddon().reason).toBeNull()
  const column = columnOf(kinds['many digits'])
  const feature = (of: NumericColumn) => new FeatureColumn(of, { offset: 0, exponent: 0 }, null, NaN)
  expect(onAddon([feature(column)])).not.toBeNull()
  expect(onAddon([feature(column), feature(computed(column))])).toBeNull()
})

describe.each(Object.entries(kinds))('a column of %s', (_, valueOf) => {
  it.each([
    ['all rows', null, 0, NaN],
    ['some rows', chosen, 0, NaN],
    ['gaps', null, 0.1, NaN],
    ['gaps that are filled', chosen, 0.3, 0.25],
  ] as const)('has the same statistics with the addon and without: %s', async (_kind, own, missing, fill) => {
    const column = columnOf(valueOf, missing)
    const centre = await centreOf(column, own, slices)
    expect(await centreOf(computed(column), own, slices)).toEqual(centre)
    const [native, script] = [column, computed(column)].map((of) => new FeatureColumn(of, centre, own, fill))
    expect(await momentsOf(native, slices)).toEqual(await momentsOf(script, slices))
    expect(await lowerMedian(native, slices)).toEqual(await lowerMedian(script, slices))
    const shares = [0, 0.1, 0.25, 0.5, 0.75, 1]
    expect(await quantiles(native, shares, slices)).toEqual(await quantiles(script, shares, slices))
  })
})

/** Texts in codes of one byte, and of two. */
const textColumn = (texts: number) => {
  const blocks = new CategoryBlocks()
  for (let row = 0; row < rows; row++) {
    if (uniform(11, row) < 0.1) blocks.pushMissing()
    else blocks.push(`t${Math.floor(uniform(12, row) * texts)}`)
  }
  return blocks.finish()
}

describe.each([5, 300])('an indicator of one of %s texts', (texts) => {
  it.each([null, chosen])('is the same with the addon and without', async (own) => {
    const categories = textColumn(texts)
    if (categories === undefined) throw new Error('no texts are held')
    const column = new IndicatorColumn(categories, categories.values.indexOf('t3'))
    const centre = { offset: 0, exponent: 0 }
    const [native, script] = [column, computed(column)].map((of) => new FeatureColumn(of, centre, own, NaN))
    expect([native.native(), script.native()]).toEqual([expect.anything(), null])
    const moments = await momentsOf(native, slices)
    expect(moments).toEqual(await momentsOf(script, slices))
    expect(moments).toMatchObject({ min: 0, max: 1 })
    expect(await quantiles(native, [0.5, 0.99], slices)).toEqual(await quantiles(script, [0.5, 0.99], slices))
  })
})

describe.each(['none', 'standardise', 'min-max', 'robust', 'unit-length'] as const)(
  'points scaled by %s',
  (scaling) => {
    it.each(['float32', 'float64'] as const)(
      'are the same with the addon and without, in %s',
      async (precision) => {
        const columns = Object.values(kinds).map((valueOf) => columnOf(valueOf))
        const made = await Promise.all(
          [columns, columns.map(computed)].map(async (of) => {
            const features = await Promise.all(
              of.map(
                async (column) =>
                  new FeatureColumn(column, await centreOf(column, chosen, slices), chosen, NaN),
              ),
            )
            const scalings = features.map(() => scaling)
            const scaler = await rowScaler(features, scalings, slices)
            return enginePoints(
              scaler,
              { held: chosen.length, all: chosen.length, group: undefined },
              features.length,
              (length) => coordinates(precision, length),
              slices,
            )
          }),
        )
        expect(made[0]).toEqual(made[1])
        expect(made[0].x.some((value) => value !== 0)).toBe(true)
      },
    )
  },
)

it('has a median of nothing, and of one value that is everywhere missing but once', async () => {
  const empty = columnOf(() => NaN)
  const feature = new FeatureColumn(empty, { offset: 0, exponent: 0 }, null, NaN)
  expect(await lowerMedian(feature, slices)).toEqual({ low: NaN, middle: NaN, high: NaN })
  expect(await quantiles(feature, [0.5], slices)).toEqual([NaN])
  const once = columnOf((row) => (row === 12_345 ? -0 : NaN))
  const { low, middle, high } = await lowerMedian(
    new FeatureColumn(once, { offset: 0, exponent: 0 }, null, NaN),
    slices,
  )
  expect([low, middle, high]).toEqual([0, 0, 0])
})
