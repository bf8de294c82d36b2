import type { ComparisonUnits } from '@shared/run-comparison'
import type { RunResult } from './types'

/** How the distances of centroids are measured. */
export interface Measure {
  readonly units: ComparisonUnits
  /** By feature compared, units of the file: what one such unit is. */
  readonly unit: readonly number[]
}

/** Relative: scalings of the same columns differ by rounding alone where the rows are the same. */
const sameScale = 1e-9

/** @param features that both runs have */
export function measureOf(a: RunResult, b: RunResult, features: readonly string[]): Measure {
  const [ofA, ofB] = [unitsOf(a, features), unitsOf(b, features)]
  if (ofA === null || ofB === null || isFileUnit([...ofA, ...ofB]))
    return { units: 'file', unit: features.map(() => 1) }
  const isSame = ofA.every((unit, j) => Math.abs(unit - ofB[j]) <= sameScale * unit)
  return { units: isSame ? 'scaled' : 'scaled-as-a', unit: ofA }
}

const isFileUnit = (units: readonly number[]): boolean =>
  units.every((unit) => Math.abs(unit - 1) <= sameScale)

/** A unit of the scaled data in units of the file; null under a scaling that has no such unit. */
function unitsOf({ record, points }: RunResult, features: readonly string[]): number[] | null {
  if (record.config.scaling === 'unit-length') return null
  return features.map((name) => {
    const j = record.features.findIndex((feature) => feature.name === name)
    return points.transform.step[j] / 2 ** points.exponent
  })
}
