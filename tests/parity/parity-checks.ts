import type { Points } from '@engine/engines/engine'
import { emptyPolicies, type EmptyPolicy } from '@shared/run-config'
import { maxWorkers, workersVariant } from '@shared/workers'
import { coveringSizes } from './cases'
import { check, checkLabels, checkSame } from './check'
import { checkSteps } from './check-step'
import { refusalOf, withSession, type Contender } from './contenders'
import {
  centredPoints,
  latticePoints,
  randomPoints,
  spreadRows,
  unitPoints,
  withEmptyClusters,
} from './fixtures'
import { madeOnce } from './once'
import { assign } from './reference'

/** One check of one contender. It ends well or throws. */
export interface ParityCheck {
  readonly group: string
  readonly name: string
  run(): Promise<void>
}

type Checks = Readonly<Record<string, () => Promise<unknown>>>

const madePoints = madeOnce(randomPoints)
const madeLattice = madeOnce(latticePoints)
const never = new AbortController().signal

/** Everything a variant on a device is held to, against the float64 reference. */
export function parityChecks(contender: Contender): ParityCheck[] {
  const groups: Readonly<Record<string, Checks>> = {
    'step by step from identical centroids': stepChecks(contender),
    'ties and whole numbers': tieChecks(contender),
    'data that bring kernels down': hostileChecks(contender),
    'empty clusters': emptyClusterChecks(contender),
    'points that sessions share': sharedPointChecks(contender),
    ...(contender.variant === workersVariant && { 'any number of workers': workerChecks(contender) }),
  }
  return Object.entries(groups).flatMap(([group, checks]) =>
    Object.entries(checks).map(([name, work]) => ({ group, name, run: async () => void (await work()) })),
  )
}

/** @throws CheckFailure when two of the contenders label whole numbers differently. */
export async function checkAgreement(contenders: readonly Contender[]): Promise<void> {
  const points = latticePoints(1500, 4, 6, 77)
  const centroids = spreadRows(points, 24)
  const expected = assign(points, centroids, 24).labels
  for (const contender of contenders) {
    const labels = await labelsUnlessRefused(contender, points, 24, centroids)
    if (labels !== null) checkLabels(labels, expected, `labels of ${contender.name}`)
  }
}

function stepChecks(contender: Contender): Checks {
  const sizes = coveringSizes(contender.maxWork, contender.device.software)
  const covering = sizes.map(({ n, d, k }) => [
    `n = ${n}, d = ${d}, k = ${k}`,
    () => {
      const points = madePoints({ n, d, seed: n + 31 * d + 7 * k, blobs: Math.ceil(k / 2) })
      return checkSteps(contender, { points, k, centroids: spreadRows(points, k) })
    },
  ])
  return {
    ...(Object.fromEntries(covering) as Checks),
    'holds over several steps': () => {
      const points = madePoints({ n: 1025, d: 5, seed: 9 })
      return checkSteps(contender, { points, k: 17, centroids: spreadRows(points, 17), steps: 8 })
    },
  }
}

/** Powers of two and none, one more than a worker a thread, and more than there are points; on software adapters each with one shape, turn about. */
function workerChecks(contender: Contender): Checks {
  const counts = [1, 7, 33, 512, 513, 5000, maxWorkers]
  const shapes = [
    { n: 1500, d: 5, k: 17 },
    { n: 300, d: 300, k: 9 },
    { n: 2100, d: 1, k: 2050 },
  ]
  const shapesOf = (turn: number) => (contender.device.software ? [shapes[turn % shapes.length]] : shapes)
  const checks = counts.flatMap((workers, turn) =>
    shapesOf(turn).map(({ n, d, k }) => [
      `${workers} workers, n = ${n}, d = ${d}, k = ${k}`,
      () => {
        const points = madePoints({ n, d, seed: workers + d, blobs: 4 })
        const centroids = withEmptyClusters(spreadRows(points, k), d, 3)
        return checkSteps({ ...contender, workers }, { points, k, centroids, empty: 'drop' })
      },
    ]),
  )
  return Object.fromEntries(checks) as Checks
}

function tieChecks(contender: Contender): Checks {
  const lattices = [
    { n: 2000, d: 1, k: 8, side: 3 },
    { n: 2000, d: 2, k: 16, side: 3 },
    { n: 1025, d: 3, k: 65, side: 20 },
    { n: 700, d: 16, k: 20, side: 1 },
    { n: 300, d: 100, k: 9, side: 50 },
  ]
  const exact = lattices.map(({ n, d, k, side }) => [
    `n = ${n}, d = ${d}, k = ${k}: every label as the reference has it`,
    () => {
      const points = madeLattice(n, d, side, n + d)
      return checkSteps(contender, { points, k, centroids: spreadRows(points, k), exactLabels: true })
    },
  ])
  return {
    ...(Object.fromEntries(exact) as Checks),
    'gives points between two equal centroids to the lower index': async () => {
      const points = unitPoints(Float64Array.of(-2, 0, 2, 0, -2), 5, 1)
      const labels = await labelsOf(contender, points, 4, Float32Array.of(0.5, -0.5, 0.5, -0.5))
      checkLabels(labels, Int32Array.of(1, 0, 0, 0, 1), 'labels')
    },
  }
}

function hostileChecks(contender: Contender): Checks {
  const steps = (points: Points, k: number, count: number) =>
    checkSteps(contender, { points, k, centroids: spreadRows(points, k), steps: count })
  const scales = [1, 2 ** -10, 2 ** -24, 2 ** -40, 2 ** -60]
  const ofScale = (scale: number) => steps(madePoints({ n: 400, d: 3, seed: 5, scale }), 4, 2)
  return {
    'all points equal': () => steps(centredPoints(new Float64Array(300).fill(1e9 + 7), 100, 3), 3, 2),
    'constant columns': () =>
      steps(
        withColumns(madePoints({ n: 500, d: 5, seed: 2 }), (value, j) => (j % 2 ? 0 : value)),
        6,
        2,
      ),
    'half of the points twice': () => {
      const { x, d } = madePoints({ n: 600, d: 3, seed: 12 })
      return steps(unitPoints(Float64Array.from([...x, ...x.subarray(0, 900)]), 900, d), 12, 2)
    },
    'an offset of 1e9': () =>
      steps(madePoints({ n: 1000, d: 4, seed: 3, blobs: 5, offset: 1e9, scale: 5 }), 5, 3),
    'columns of very different scale': () =>
      steps(
        withColumns(madePoints({ n: 1000, d: 5, seed: 4 }), (value, j) => value * scales[j]),
        7,
        3,
      ),
    'values of about 1e-30': () => ofScale(1e-30),
    'values of about 1e+30': () => ofScale(1e30),
    'one point far out': () =>
      steps(
        withColumns(madePoints({ n: 999, d: 3, seed: 6 }), (value, _, i) => (i === 500 ? 1000 : value)),
        8,
        3,
      ),
    'one cluster that takes nearly everything': () => {
      const points = madePoints({ n: 5000, d: 2, seed: 7 })
      const centroids = spreadRows(points, 4).map((value, at) => (at < 2 ? 0 : 0.99 * Math.sign(value)))
      return checkSteps(contender, { points, k: 4, centroids, steps: 2 })
    },
  }
}

function emptyClusterChecks(contender: Contender): Checks {
  const policies = emptyPolicies.map((empty) => [
    `${empty}: as the contract says`,
    () => checkPolicy(contender, empty),
  ])
  return {
    ...(Object.fromEntries(policies) as Checks),
    'farthest gives way when no donor has two points': () => {
      const points = unitPoints(Float64Array.of(1, 1, 1, 4), 4, 1)
      const centroids = Float32Array.of(points.x[0], points.x[0], points.x[0], points.x[0])
      return checkSteps(contender, { points, k: 4, centroids, empty: 'farthest', steps: 2 })
    },
    'drop goes on without the dropped ones, whose labels never come back': () => checkDropped(contender),
  }
}

/** As a scan holds them on a device; an engine in host memory has nothing to hold. */
function sharedPointChecks(contender: Contender): Checks {
  const sizes = [
    [1500, 5, 6, 17],
    [3000, 24, 9, 40],
  ] as const
  const checks = sizes.map(([n, d, ...ks]) => [
    `n = ${n}, d = ${d}: the labels of points that each session sent itself`,
    async () => {
      const points = madePoints({ n, d, seed: n + d, blobs: 6 })
      const labels = (k: number) => labelsOf(contender, points, k, spreadRows(points, k))
      const own = new Map<number, Int32Array>()
      for (const k of ks) own.set(k, await labels(k))
      const held = await contender.engine.hold?.(points, contender.device.id)
      try {
        for (const [k, expected] of own) checkLabels(await labels(k), expected, `labels of k = ${k}`)
      } finally {
        await held?.close()
      }
      for (const [k, expected] of own) checkLabels(await labels(k), expected, `labels of k = ${k} afterwards`)
    },
  ])
  return Object.fromEntries(checks) as Checks
}

async function checkPolicy(contender: Contender, empty: EmptyPolicy): Promise<void> {
  const sizes = [
    [257, 16, 40],
    [1000, 2, 9],
    [40, 3, 36],
  ] as const
  // A software adapter compiles for seconds for each size: one must do.
  for (const [n, d, k] of contender.device.software ? sizes.slice(0, 1) : sizes) {
    const points = madePoints({ n, d, seed: n, blobs: 4 })
    const centroids = withEmptyClusters(spreadRows(points, k), d, 3)
    await checkSteps(contender, { points, k, centroids, empty })
  }
}

async function checkDropped(contender: Contender): Promise<void> {
  const points = madePoints({ n: 500, d: 2, seed: 8, blobs: 3 })
  const centroids = withEmptyClusters(spreadRows(points, 9), 2, 3)
  await withSession(contender, points, { k: 9, empty: 'drop' }, async (session) => {
    await session.start(centroids)
    const stats = await session.advance({ iterations: 5, milliseconds: 60_000 }, never)
    const read = await session.read()
    checkSame(stats.length, 5, 'iterations')
    const shifts = stats.slice(1).map(({ shiftSquared }) => shiftSquared)
    check(shifts.every(Number.isFinite), `a shift is no number: ${shifts.join(' ')}`)
    for (const cluster of [2, 5, 8]) {
      checkSame(read.centroids[cluster * 2], Number.NaN, `dropped cluster ${cluster}`)
      check(!read.labels.includes(cluster), `a point has the label of the dropped cluster ${cluster}`)
    }
    checkLabels(read.labels, assign(points, read.centroids, 9).labels, 'labels')
  })
}

/** Null where the contender is a regime that the shape does not suit. */
async function labelsUnlessRefused(...question: Parameters<typeof labelsOf>): Promise<Int32Array | null> {
  try {
    return await labelsOf(...question)
  } catch (error) {
    if (refusalOf(error) === null) throw error
    return null
  }
}

function labelsOf(contender: Contender, points: Points, k: number, centroids: Float32Array) {
  return withSession(contender, points, { k }, async (session) => {
    await session.start(centroids)
    return (await session.read()).labels
  })
}

/** Points made anew from other points' values. */
function withColumns(
  { x, n, d }: Points,
  change: (value: number, column: number, point: number) => number,
): Points {
  const values = Float64Array.from(x, (value, at) => change(value, at % d, Math.floor(at / d)))
  return unitPoints(values, n, d)
}
