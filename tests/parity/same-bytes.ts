import { createHash } from 'node:crypto'
import type { Coordinates, IterationStats, Points, Session } from '@engine/engines/engine'
import { emptyPolicies, type EmptyPolicy } from '@shared/run-config'
import type { EngineId } from '@shared/variant'
import { check } from './check'
import { withSession, type Contender } from './contenders'
import { randomPoints, spreadRows } from './fixtures'
import type { ParityCheck } from './parity-checks'

const never = new AbortController().signal
const unlimited = { iterations: 1_000_000, milliseconds: 60_000 }

type Budget = typeof unlimited

/** Ways to cut a run into calls of `advance`; ten of them, twice over two sessions, are 20 runs. */
const budgets: readonly (readonly Budget[])[] = [
  [unlimited],
  [{ iterations: 1, milliseconds: 60_000 }],
  [
    { iterations: 3, milliseconds: 60_000 },
    { iterations: 2, milliseconds: 60_000 },
  ],
  [{ iterations: 1000, milliseconds: 0 }],
  [
    { iterations: 7, milliseconds: 0.01 },
    { iterations: 1, milliseconds: 5 },
  ],
]

interface OwnShape {
  readonly n: number
  readonly d: number
  readonly k: number
  /** 0 for noise. */
  readonly blobs: number
  /** By name, where the plan takes it only for so much work that twenty runs on a processor last minutes; absent: the plan's. */
  readonly regime?: string
}

/** Shapes for which ours have kernels of their own: boxes, tables and lists of the plane, cells in up to 32 features, matrix units above. */
const ownShapesOfCards: readonly OwnShape[] = [
  { n: 30_011, d: 2, k: 7, blobs: 7 },
  { n: 5_003, d: 2, k: 60, blobs: 20 },
  { n: 50_021, d: 2, k: 512, blobs: 20 },
  { n: 300_007, d: 2, k: 100, blobs: 0 },
  { n: 1_200_007, d: 2, k: 10, blobs: 10 },
  { n: 60_013, d: 4, k: 30, blobs: 30 },
  { n: 300_007, d: 8, k: 100, blobs: 20 },
  { n: 200_003, d: 24, k: 64, blobs: 64 },
  { n: 20_011, d: 16, k: 50, blobs: 0 },
  { n: 150_001, d: 64, k: 256, blobs: 20 },
  { n: 100_003, d: 130, k: 200, blobs: 200 },
]

/** The same for a processor: boxes, tiles with and without groups of clusters, projections. */
const ownShapesOfProcessors: readonly OwnShape[] = [
  { n: 30_011, d: 2, k: 7, blobs: 7 },
  { n: 5_003, d: 2, k: 60, blobs: 20 },
  { n: 50_021, d: 2, k: 512, blobs: 20 },
  { n: 100_003, d: 2, k: 100, blobs: 0 },
  { n: 100_003, d: 2, k: 10, blobs: 10 },
  { n: 60_013, d: 4, k: 30, blobs: 30 },
  { n: 30_011, d: 8, k: 130, blobs: 20 },
  { n: 50_021, d: 24, k: 64, blobs: 64 },
  { n: 20_011, d: 16, k: 50, blobs: 0 },
  { n: 20_011, d: 64, k: 256, blobs: 20, regime: 'projected-scores' },
  { n: 10_007, d: 130, k: 200, blobs: 200, regime: 'projected-scores' },
]

/** Of real devices: a software adapter would take minutes. */
const ownShapes = {
  cpu: ownShapesOfProcessors,
  cuda: ownShapesOfCards,
  webgpu: ownShapesOfCards,
} satisfies Record<EngineId, readonly OwnShape[]>

/** What becomes of empty clusters is common to the variants: on software adapters, which are slow, ours has all policies, the others take turns. */
function policiesOf({ engine, device, variant }: Contender): readonly EmptyPolicy[] {
  if (!device.software || variant === 'fused') return emptyPolicies
  const turn = engine.variants().findIndex(({ id }) => id === variant)
  return [emptyPolicies[turn % emptyPolicies.length]]
}

/** That a deterministic variant gives the same bytes over 20 runs, however they are cut. None for the others. */
export function sameBytesChecks(contender: Contender): ParityCheck[] {
  if (!contender.deterministic) return []
  const group = 'same bytes over 20 runs and all budgets'
  const small = policiesOf(contender).map((empty) => ({
    group,
    name: `empty clusters: ${empty}`,
    run: async () => {
      const points = randomPoints({ n: 3001, d: 3, seed: 21, blobs: 4 })
      // Two far centroids: the policies have something to do.
      const centroids = spreadRows(points, 12).map((value, at) => (at >= 30 ? 3 + at : value))
      await checkSame(contender, points, { k: 12, empty }, centroids)
    },
  }))
  const own =
    contender.variant === 'fused' && !contender.device.software ? ownShapes[contender.engine.id] : []
  const large = own.map(({ n, d, k, blobs, regime }) => ({
    group,
    name: `n = ${n}, d = ${d}, k = ${k}, ${blobs === 0 ? 'noise' : `${blobs} blobs`}`,
    run: async () => {
      const points = randomPoints({ n, d, seed: n + d + k, blobs })
      await checkSame({ ...contender, ...(regime && { regime }) }, points, { k }, spreadRows(points, k))
    },
  }))
  return [...small, ...large]
}

async function checkSame(
  contender: Contender,
  points: Points,
  config: Parameters<typeof withSession>[2],
  centroids: Coordinates,
): Promise<void> {
  const outcomes = new Map<string, string>()
  for (let opened = 0; opened < 2; opened++) {
    await withSession(contender, points, config, async (session) => {
      for (const pieces of [...budgets, ...budgets]) {
        const way = pieces.map(({ iterations, milliseconds }) => `${iterations} in ${milliseconds} ms`)
        outcomes.set(await runInPieces(session, centroids, 12, pieces), way.join(', then '))
      }
    })
  }
  check(
    outcomes.size === 1,
    `20 runs gave ${outcomes.size} results, by calls of ${[...outcomes.values()].join(' | ')}`,
  )
}

/** A run to `iterations`, cut into calls by the budgets in turn. @returns a digest of all that it gave, times apart. */
async function runInPieces(
  session: Session,
  centroids: Coordinates,
  iterations: number,
  pieces: readonly Budget[],
): Promise<string> {
  await session.start(centroids)
  const stats: IterationStats[] = []
  for (let turn = 0; stats.length < iterations; turn++) {
    const budget = pieces[turn % pieces.length]
    const left = Math.min(budget.iterations, iterations - stats.length)
    stats.push(...(await session.advance({ ...budget, iterations: left }, never)))
    if (stats.at(-1)?.stop) break
  }
  const { labels, centroids: final, inertia } = await session.read()
  const digest = createHash('sha256').update(JSON.stringify([stats.map(withoutTimes), inertia]))
  return digest.update(bytes(final)).update(bytes(labels)).digest('hex')
}

function withoutTimes(stats: IterationStats): object {
  const { assignMs, updateMs, convergeMs, iterateMs, totalMs, centroids, ...facts } = stats
  for (const ms of [assignMs, updateMs, convergeMs, iterateMs, totalMs]) {
    check(ms === null || ms >= 0, `iteration ${facts.iteration} took ${ms} ms`)
  }
  return { ...facts, centroids: centroids === null ? null : bytes(centroids).toString('hex') }
}

function bytes({ buffer, byteOffset, byteLength }: Coordinates | Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
