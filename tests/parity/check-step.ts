import type { Coordinates, IterationStats, Points, Session } from '@engine/engines/engine'
import type { EmptyPolicy } from '@shared/run-config'
import { checkAtMost, checkLabels, checkSame } from './check'
import { withSession, type Contender } from './contenders'
import { workedOutOnce } from './once'
import { exactLabels as labelsOfExactArithmetic } from './exact-arithmetic'
import {
  assign,
  clustersInPlay,
  describe as describeLabels,
  inexactLabels,
  shiftOf,
  totalSumOfSquares,
  update,
} from './reference'

export interface StepCase {
  readonly points: Points
  readonly k: number
  /** (k, d) engine units. */
  readonly centroids: Coordinates
  readonly empty?: EmptyPolicy
  readonly steps?: number
  /** Whole numbers: the labels must be those of the reference, ties and all. */
  readonly exactLabels?: boolean
  /** False: changed labels are not asked for. */
  readonly countsChanges?: boolean
}

const referenceOf = workedOutOnce(assign)
const exactLabelsOf = workedOutOnce(labelsOfExactArithmetic)
const never = new AbortController().signal
const one = { iterations: 1, milliseconds: 60_000 }

/**
 * Carries out single iterations, each from given centroids, and compares each with the float64 reference:
 * labels exact, inertia and new centroids within the bounds of the contract, the shift as float64 has it.
 * Answers the centroids at the end.
 */
export async function checkSteps(contender: Contender, step: StepCase): Promise<Coordinates> {
  const { points, k, empty = 'keep', steps = 1, countsChanges = true } = step
  return withSession(contender, points, { k, empty, trackChanged: countsChanges }, async (session) => {
    let centroids = step.centroids
    for (let done = 0; done < steps; done++) {
      centroids = await checkOne(contender, { ...step, centroids, empty }, session)
    }
    return centroids
  })
}

async function checkOne(
  contender: Contender,
  {
    points,
    k,
    centroids,
    empty,
    exactLabels = false,
    countsChanges = true,
  }: StepCase & { readonly empty: EmptyPolicy },
  session: Session,
): Promise<Coordinates> {
  await session.start(centroids)
  const { labels, inertia } = await session.read()
  const reference = referenceOf(points, centroids, k)
  const inexact = inexactLabels(points, centroids, labels, reference.nearest, contender.labelUnit)
  checkSame(inexact, 0, 'inexact labels')
  if (contender.canonical === true) {
    checkLabels(labels, exactLabelsOf(points, centroids, k), 'labels of exact arithmetic')
  }
  if (exactLabels) checkLabels(labels, reference.labels, 'labels of whole numbers')
  const assignment = describeLabels(points, centroids, labels, k)
  const bound = contender.inertiaBound * totalSumOfSquares(points) + Number.MIN_VALUE
  checkAtMost(Math.abs((inertia ?? assignment.inertia) - assignment.inertia), bound, 'inertia of read')
  await session.start(centroids)
  const [stats] = await session.advance(one, never)
  checkAtMost(Math.abs((stats.inertia ?? Number.NaN) - assignment.inertia), bound, 'J(i)')
  if (countsChanges) checkSame(stats.changed, points.n, 'changed points')
  const empties = clustersInPlay(centroids, k, points.d).filter((c) => assignment.counts[c] === 0)
  checkSame(stats.emptyClusters, empties.length, 'empty clusters')
  const after = stats.centroids ?? new Float32Array()
  compareCentroids(points, update(points, centroids, assignment, k, empty), after, k)
  compareShift(stats, centroids, after, k, points.d)
  // What another engine would go on from, were the device lost now.
  const reported = session.centroids?.() ?? after
  checkSame(reported.length, after.length, 'coordinates that the session tells')
  after.forEach((value, at) => checkSame(reported[at], value, `coordinate ${at} that the session tells`))
  return after
}

/** Within 1e-6 of the column's range, beyond the one rounding to float32 that the contract asks for. */
function compareCentroids(points: Points, expected: Float64Array, found: Coordinates, k: number): void {
  const { d } = points
  const ranges = rangesOf(points)
  checkSame(found.length, k * d, 'coordinates of centroids')
  for (let at = 0; at < expected.length; at++) {
    if (Number.isNaN(expected[at])) checkSame(found[at], Number.NaN, `dropped cluster at ${at}`)
    else {
      const bound = 1e-6 * ranges[at % d] + 2 ** -23 * Math.abs(expected[at])
      const error = Math.abs(found[at] - expected[at])
      if (!(error <= bound)) checkSame(found[at], expected[at], `coordinate ${at}`)
    }
  }
}

function compareShift(
  stats: IterationStats,
  before: Coordinates,
  after: Coordinates,
  k: number,
  d: number,
): void {
  const shift = shiftOf(before, after, k, d)
  const close = (found: number, expected: number, what: string) =>
    checkAtMost(Math.abs(found - expected), 1e-12 * expected, what)
  close(stats.shiftSquared, shift.squared, 'squared shift')
  close(stats.maxShift, shift.largest, 'largest shift')
  close(stats.maxCoordinateShift, shift.coordinate, 'largest coordinate shift')
}

function rangesOf({ x, d }: Points): Float64Array {
  const least = new Float64Array(d).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(d).fill(Number.NEGATIVE_INFINITY)
  x.forEach((value, at) => {
    least[at % d] = Math.min(least[at % d], value)
    most[at % d] = Math.max(most[at % d], value)
  })
  return most.map((value, j) => value - least[j])
}
