import { assertNever } from '@shared/assert-never'
import type { ColumnScaling } from '@shared/dataset'
import type { Slices } from '../slices'
import type { FeatureColumn } from './feature-column'
import { meanAndDeviation, type Moments } from './moments'
import { indicatorStep } from './one-hot'
import { quantiles } from './order-statistics'
import type { FeatureScaling } from './same-preparation'
import type { RowScaler } from './scaled-rows'
import { unitLengthScaler } from './unit-length'

/** How one feature is moved and stretched: `(value - centre) * gain * 2^power`, in column units. */
interface Stretch {
  readonly centre: number
  readonly gain: number
  readonly power: number
}

/**
 * Prepares a scaling: gathers what it needs of the columns, in float64.
 * @param scalings (d) by column; `unit-length` for all of them or none
 */
export async function rowScaler(
  columns: readonly FeatureColumn[],
  scalings: readonly FeatureScaling[],
  slices: Slices,
): Promise<RowScaler> {
  const linear = scalings.filter((scaling) => scaling !== 'unit-length')
  if (linear.length < columns.length) return await unitLengthScaler(columns, slices)
  const stretches: Stretch[] = []
  for (const [j, column] of columns.entries()) stretches.push(await stretchOf(column, linear[j], slices))
  const ranges: Range[] = []
  for (const column of columns) ranges.push(await column.range(slices))
  return linearScaler(columns, stretches, ranges)
}

type Range = Pick<Moments, 'min' | 'max'>

async function stretchOf(
  column: FeatureColumn,
  scaling: ColumnScaling | 'one-hot',
  slices: Slices,
): Promise<Stretch> {
  switch (scaling) {
    case 'none':
      return stretch(column, 0, 0)
    case 'standardise': {
      const { mean, deviation } = await column.figure('deviation', async () =>
        meanAndDeviation(column, await column.moments(slices), slices),
      )
      return stretch(column, mean, deviation)
    }
    case 'min-max': {
      const { min, max } = await column.range(slices)
      return stretch(column, min, max - min)
    }
    case 'robust': {
      const shares = [0.25, 0.5, 0.75]
      const [lower, median, upper] = await column.figure('quartiles', () => quantiles(column, shares, slices))
      return stretch(column, median, upper - lower)
    }
    case 'one-hot':
      return stretch(column, 0, 1 / indicatorStep)
    default:
      return assertNever(scaling, 'scaling')
  }
}

/** A spread of 0 leaves the units of the file: a constant feature is divided by 1. */
function stretch(column: FeatureColumn, centre: number, spread: number): Stretch {
  if (spread === 0) return { centre, gain: 1, power: column.exponent }
  return { centre, gain: 1 / spread, power: 0 }
}

function linearScaler(
  columns: readonly FeatureColumn[],
  stretches: readonly Stretch[],
  ranges: readonly Range[],
): RowScaler {
  return {
    largest: Float64Array.from(stretches, (own, j) => largestOf(own, ranges[j])),
    powers: Int32Array.from(stretches, ({ power }) => power),
    offset: Float64Array.from(columns, (column, j) => column.toFile(stretches[j].centre)),
    step: Float64Array.from(stretches, ({ gain }) => 1 / gain),
    stepPowers: Int32Array.from(columns, ({ exponent }, j) => exponent - stretches[j].power),
    linear: {
      columns,
      centres: Float64Array.from(stretches, ({ centre }) => centre),
      gains: Float64Array.from(stretches, ({ gain }) => gain),
    },
    write(point, out) {
      for (let j = 0; j < columns.length; j++) {
        out[j] = (columns[j].at(point) - stretches[j].centre) * stretches[j].gain
      }
    },
  }
}

/** Rounding keeps the order, so that no value between the ends is farther from the centre than they are. */
function largestOf({ centre, gain }: Stretch, { min, max }: Range): number {
  return Math.max(Math.abs((min - centre) * gain), Math.abs((max - centre) * gain))
}
