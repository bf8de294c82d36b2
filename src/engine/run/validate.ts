import { assertAnswerable } from '@shared/approximate'
import { invalidArgument, LabError } from '@shared/errors'
import { float64VariantNames, offersFloat64 } from '@shared/precision'
import { toleranceOf, type RunConfig } from '@shared/run-config'
import { maxWorkers, workersVariant } from '@shared/workers'
import type { PreparedPoints } from '../dataset/prepared'

/**
 * Scaled values are engine values, which are below 1, times a power of two. A squared distance of scaled values is
 * below 4 d times the square of this power: far enough from 2^1024 for the sum over any number of points.
 */
const largestExponent = 480

/** What can be said about a configuration without data. @throws LabError naming the option. */
export function validateConfig(config: RunConfig): void {
  wholeNumber(config.k, 1, Number.MAX_SAFE_INTEGER, 'k')
  wholeNumber(config.maxIterations, 1, Number.MAX_SAFE_INTEGER, 'max-iterations')
  wholeNumber(config.nInit, 1, Number.MAX_SAFE_INTEGER, 'n-init')
  wholeNumber(config.seed, 0, Number.MAX_SAFE_INTEGER, 'seed')
  wholeNumber(config.seed + (config.nInit - 1), 0, Number.MAX_SAFE_INTEGER, 'the seed of the last restart')
  validateWorkers(config)
  validatePrecision(config)
  assertAnswerable(config)
  const tolerance = toleranceOf(config)
  if (!(tolerance >= 0 && tolerance < Number.POSITIVE_INFINITY)) {
    throw invalidArgument('a number from 0', 'tolerance', config.tolerance)
  }
  if (config.stop === 'labels' && tolerance > 1) {
    throw invalidArgument("a share of the points, 0 to 1, with the rule 'labels'", 'tolerance', tolerance)
  }
}

/** @throws LabError where they are no number of workers, or nobody's. */
export function validateWorkers({ workers, variant }: Pick<RunConfig, 'workers' | 'variant'>): void {
  if (workers === null) return
  wholeNumber(workers, 1, maxWorkers, 'workers')
  if (variant !== workersVariant) {
    throw invalidArgument(`${workersVariant}, which alone has workers to number,`, 'variant', variant)
  }
}

/** @throws LabError where nothing carries the run out in float64. */
export function validatePrecision({
  precision,
  variant,
  engine,
}: Pick<RunConfig, 'precision' | 'variant' | 'engine'>): void {
  if (precision === 'float32') return
  if (!offersFloat64(variant)) {
    const expected = `${float64VariantNames} with precision ${precision} (all others work in float32 only)`
    throw invalidArgument(expected, 'variant', variant)
  }
  if (engine !== 'cpu' && engine !== 'auto') {
    const expected = `cpu with precision ${precision} (the others work in float32 only)`
    throw invalidArgument(expected, 'engine', engine)
  }
}

function wholeNumber(value: number, least: number, most: number, name: string): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  const range = most < Number.MAX_SAFE_INTEGER || value > most ? `${least} to ${most}` : `${least}`
  throw invalidArgument(`a whole number from ${range}`, name, value)
}

/** What can be said once the points are there. @throws LabError naming the file. */
export function validatePoints(points: PreparedPoints, k: number, fileName: string): void {
  if (points.n === 0) {
    throw new LabError(
      'input',
      'run.no-rows',
      `${fileName} has no usable row for the chosen features: choose other features or another policy for missing values.`,
    )
  }
  if (k > points.n) {
    const rows = points.n === 1 ? 'only 1 usable row' : `only ${points.n} usable rows`
    throw new LabError(
      'input',
      'run.k-too-large',
      `k is ${k} but ${fileName} has ${rows}: choose a k of at most ${points.n}.`,
    )
  }
  if (Math.abs(points.exponent) > largestExponent) {
    const size = points.exponent > 0 ? 'large' : 'small'
    throw new LabError(
      'input',
      'run.magnitude',
      `The values of ${fileName} are too ${size} for squared distances (about 1e${Math.round(points.exponent * Math.log10(2))}): choose the scaling 'standardise'.`,
    )
  }
}
