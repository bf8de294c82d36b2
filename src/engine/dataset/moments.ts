import type { Slices } from '../slices'

const blockPoints = 1 << 16

/** Values by position, none of them missing. */
export interface Complete {
  readonly length: number
  at(position: number): number
}

/** Calls for every value in order and gives way between blocks. */
async function eachValue(values: Complete, slices: Slices, visit: (value: number) => void): Promise<void> {
  for (let start = 0; start < values.length; start += blockPoints) {
    const end = Math.min(values.length, start + blockPoints)
    for (let i = start; i < end; i++) visit(values.at(i))
    await slices.next()
  }
}

export async function extremes(
  values: Complete,
  slices: Slices,
): Promise<{ readonly min: number; readonly max: number }> {
  let min = Infinity
  let max = -Infinity
  await eachValue(values, slices, (value) => {
    if (value < min) min = value
    if (value > max) max = value
  })
  return { min, max }
}

/** Mean and standard deviation (1/n) in two passes; a constant series has exactly its value and 0. */
export async function meanAndDeviation(
  values: Complete,
  slices: Slices,
): Promise<{ readonly mean: number; readonly deviation: number }> {
  const { min, max } = await extremes(values, slices)
  if (min === max) return { mean: min, deviation: 0 }
  let sum = 0
  await eachValue(values, slices, (value) => (sum += value))
  const mean = sum / values.length
  let squares = 0
  await eachValue(values, slices, (value) => (squares += (value - mean) * (value - mean)))
  return { mean, deviation: Math.sqrt(squares / values.length) }
}
