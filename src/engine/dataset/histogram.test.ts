import { describe, expect, it } from 'vitest'
import { histogram } from './histogram'
import { NumberBlocks } from './number-blocks'

const never = new AbortController().signal

function column(file: readonly number[]) {
  const held = new NumberBlocks()
  for (const value of file) held.push(value)
  const numbers = file.filter((value) => !Number.isNaN(value))
  return { held, range: { min: Math.min(...numbers), max: Math.max(...numbers) } }
}

async function counts(file: readonly number[], bins: number) {
  const { held, range } = column(file)
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
    expect(await counts(stamps, 4)).toEqual([1, 1, 1, 1])
  })

  it('covers the whole range of float64, and its smallest numbers', async () => {
    expect(await counts([-1.7e308, -1e308, 0, 1.7e308], 2)).toEqual([2, 2])
    expect(await counts([0, 1e-300, 4e-300], 2)).toEqual([2, 1])
  })

  it('counts a value outside of the range in the outer bin', async () => {
    const { held } = column([0.1, 0.7])
    const narrow = { min: 0.1 + 1e-8, max: 0.7 - 1e-8 }
    expect((await histogram(held, narrow, 5, never)).counts).toEqual([1, 0, 0, 0, 1])
  })

  it('gives way to others and stops when cancelled', async () => {
    const controller = new AbortController()
    const held = { length: 20_000_000, byteLength: 0, at: (row: number) => (row === 0 ? 0 : 1) }
    const counting = histogram(held, { min: 0, max: 1 }, 32, controller.signal)
    setImmediate(() => controller.abort())
    await expect(counting).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
