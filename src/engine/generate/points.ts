import { Draws, streams } from '@engine/init/philox'
import type { GeneratorSpec } from '@shared/generator'
import { validateGeneratorSpec } from '@shared/generator-limits'
import { decimalsOf, powersOfTen } from '@shared/generator-text'
import { placerOf, uniformPlacer, type Placer } from './shapes'

/**
 * The rows of a spec. Every row is a pure function of the spec and its number, so they can be made in any order
 * and in blocks of any size. Coordinates are whole multiples of 10^-decimals of their feature. Cost O(d) a row.
 */
export interface GeneratedPoints {
  readonly n: number
  readonly d: number
  /** (d) decimals of each feature, 0 to 14. */
  readonly decimals: readonly number[]
  /** Writes rows first..first+count-1 to `out` (count, d), row-major, in steps of 10^-decimals: whole numbers. */
  steps(first: number, count: number, out: Float64Array): void
  /** The same in units of the file: the numbers that reading the written file gives. */
  values(first: number, count: number, out: Float64Array): void
}

/** @throws LabError `generate.spec` */
export function generatePoints(spec: GeneratorSpec): GeneratedPoints {
  validateGeneratorSpec(spec)
  const { n, d } = spec
  const decimals = Array.from({ length: d }, (_, j) => decimalsOf(spec, j))
  const units = Float64Array.from(decimals, (digits) => powersOfTen[digits])
  const writeRow = rowPlacer(spec)
  const steps = (first: number, count: number, out: Float64Array) => {
    for (let i = 0; i < count; i++) {
      writeRow(first + i, out, i * d)
      // Adding 0 makes 0 of -0, which no text would give back.
      for (let j = 0; j < d; j++) out[i * d + j] = Math.floor(out[i * d + j] * units[j]) + 0
    }
  }
  const values = (first: number, count: number, out: Float64Array) => {
    steps(first, count, out)
    for (let i = 0; i < count; i++) for (let j = 0; j < d; j++) out[i * d + j] /= units[j]
  }
  return { n, d, decimals, steps, values }
}

function rowPlacer(spec: GeneratorSpec): (row: number, out: Float64Array, at: number) => void {
  const coordinates = new Draws(spec.seed, streams.generatedCoordinates)
  const rowDraws = new Draws(spec.seed, streams.generatedRow)
  const anywhere = uniformPlacer(spec, coordinates)
  const shape: Placer | null = placerOf(spec, coordinates)
  const original = originals(spec, rowDraws)
  const noiseBelow = spec.noise * 2 ** 32
  return (row, out, at) => {
    const source = original(row)
    if (shape === null) {
      anywhere(source, 0, 0, out, at)
      return
    }
    const words = rowDraws.words(0, source)
    const placer = words[0] < noiseBelow ? anywhere : shape
    placer(source, words[1], words[2], out, at)
  }
}

/** The row that a row repeats, itself for most; a repeated row may be one that repeats. */
function originals({ seed, duplicates }: GeneratorSpec, rowDraws: Draws): (row: number) => number {
  if (duplicates === 0) return (row) => row
  const repeats = new Draws(seed, streams.generatedRepeat)
  const repeatBelow = duplicates * 2 ** 32
  return (row) => {
    let source = row
    while (source > 0 && rowDraws.words(0, source)[3] < repeatBelow) source = repeats.below(source, 0, source)
    return source
  }
}
