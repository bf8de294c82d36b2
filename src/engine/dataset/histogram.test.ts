import { describe, expect, it } from 'vitest'
import { histogram } from './histogram'

const never = new AbortController().signal

/** A column held as loading holds it: float32 about an offset. */
function column(file: readonly number[], offset = 0, exponent = 0) {
  const unit = 2 ** -exponent
  const values = Float32Array.from(file, (value) => value * unit - offset * unit)
  const numbers = file.filter((value) => !Number.isNaN(value))
  return {
    held: { values, offset, exponent },
    range: { min: Math.min(...numbers), max: Math.max(...numbers) },
  }
}

async function counts(file: readonly number[], bins: number, offset = 0, exponent = 0) {
  const { held, range } = column(file, offset, exponent)
  return (await histogram(held, range, bins, never)).counts
}

describe('the histogram of a column', () => {
  it('has equal bins, each closed below, the last closed on both sides', async () => {
    expect(await counts([0, 1, 2, 2.5, 3, 3.5, 4], 4)).toEqual([1, 1, 2, 3])
  })

  it('leaves missing cells out', async () => {
    expect(await counts([NaN, 1, NaN, 2, 10], 3)).toEqual([2, 0, 1])
  })

  it('keeps the values of a constant column together, none lost', async () => {
    expect(await counts([7, 7, NaN, 7], 3)).toEqual([0, 3, 0])
    expect(await counts([7, 7], 1)).toEqual([2])
  })

  it('tells apart values that differ little about a large offset', async () => {
    const stamps = [1_600_000_000, 1_600_000_001, 1_600_000_002, 1_600_000_003]
    expect(await counts(stamps, 4, 1_600_000_000)).toEqual([1, 1, 1, 1])
  })

  it('covers the whole range of float64, and its smallest numbers', async () => {
    expect(await counts([-1.7e308, -1e308, 0, 1.7e308], 2, 0, 1000)).toEqual([2, 2])
    expect(await counts([0, 1e-300, 4e-300], 2, 0, -990)).toEqual([2, 1])
  })

  it('counts a value that float32 rounded out of the range in the outer bin', async () => {
    const { held } = column([0.1, 0.7])
    const narrow = { min: 0.1 + 1e-8, max: 0.7 - 1e-8 }
    expect((await histogram(held, narrow, 5, never)).counts).toEqual([1, 0, 0, 0, 1])
  })

  it('gives way to others and stops when cancelled', async () => {
    const controller = new AbortController()
    const values = new Float32Array(20_000_000)
    values.fill(1, 1)
    const counting = histogram({ values, offset: 0, exponent: 0 }, { min: 0, max: 1 }, 32, controller.signal)
    setImmediate(() => controller.abort())
    await expect(counting).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
