import { openDataset } from '@engine/csv/open-dataset'
import { hashed } from '@engine/dataset/dataset'
import type { PreparedPoints } from '@engine/dataset/prepared'
import { recordedFeature, type RunFeature } from '@engine/dataset/one-hot'
import { preparationOf } from '@engine/dataset/preparation'
import { prepare } from '@engine/dataset/prepare'
import type { RunResult } from '@engine/run/types'
import { nearestCentroid, squaredDistance } from '@shared/metrics/distance'
import type { ImportOverrides } from '@shared/dataset'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type { IterationRow, RunRecord } from '@shared/run-record'

const never = new AbortController().signal
const iterations = 3

/**
 * A real file clustered by three plain Lloyd iterations from its first k rows: what a run answers, with no
 * engine in it, so that exports are tested apart from engines. A cluster listed in `dropped` is taken away.
 */
export async function runOf(
  path: string,
  wanted: Partial<RunConfig> = {},
  { overrides = {}, dropped = [] }: { overrides?: ImportOverrides; dropped?: readonly number[] } = {},
): Promise<RunResult> {
  const config: RunConfig = { ...defaultRunConfig, history: true, centroidHistory: true, ...wanted }
  const dataset = await openDataset(path, overrides, () => undefined, never).then(hashed)
  const { features, preparation } = preparationOf(dataset, config)
  const points = await prepare(dataset, preparation, never)
  const { k } = config
  const initialCentroids = points.x.slice(0, k * points.d)
  for (const cluster of dropped) initialCentroids.fill(NaN, cluster * points.d, (cluster + 1) * points.d)
  const centroidHistory: Float32Array[] = []
  for (let i = 0; i < iterations; i++)
    centroidHistory.push(step(points, centroidHistory[i - 1] ?? initialCentroids, k))
  const centroids = centroidHistory[iterations - 1]
  const labels = assign(points, centroids, k)
  const record = await recordOf({ dataset, config, points, labels, centroids, features })
  return { record, dataset, points, labels, centroids, initialCentroids, centroidHistory }
}

function assign(points: PreparedPoints, centroids: Float32Array, k: number): Int32Array {
  return Int32Array.from({ length: points.n }, (_, row) =>
    nearestCentroid(points.x, row, centroids, k, points.d),
  )
}

function step(points: PreparedPoints, centroids: Float32Array, k: number): Float32Array {
  const { x, n, d } = points
  const labels = assign(points, centroids, k)
  const sums = new Float64Array(k * d)
  const counts = new Float64Array(k)
  for (let row = 0; row < n; row++) {
    counts[labels[row]]++
    for (let j = 0; j < d; j++) sums[labels[row] * d + j] += x[row * d + j]
  }
  return centroids.map((old, at) => {
    const count = counts[Math.floor(at / d)]
    return count === 0 ? old : sums[at] / count
  })
}

type Parts = Pick<RunResult, 'dataset' | 'points' | 'labels' | 'centroids'> & {
  readonly config: RunConfig
  readonly features: readonly RunFeature[]
}

async function recordOf(parts: Parts): Promise<RunRecord> {
  const { dataset, config, points, features } = parts
  const clusters = await clusterRows(parts)
  const inertia = clusters.reduce((sum, cluster) => sum + cluster.inertia, 0)
  return {
    id: 'run-1',
    startedAt: '2026-01-02T03:04:05.000Z',
    file: dataset.file,
    receipt: dataset.receipt,
    config,
    ...{
      engine: 'cpu',
      device: 'cpu',
      deviceName: 'Test processor',
      variant: 'sequential',
      regime: 'as-studied',
      reason: 'It has one way only.',
      deterministic: true,
    },
    features: features.map(recordedFeature),
    ...{ tolerance: 1e-4, n: points.n, d: points.d, k: config.k },
    filteredRows: points.filteredRows.length,
    ...{ droppedRows: points.droppedRows, filledCells: points.filledCells, seed: config.seed },
    restarts: [{ run: 0, seed: config.seed, iterations, stopped: 'max-iterations', inertia }],
    ...{ bestRun: 0, iterations, stopped: 'max-iterations', converged: false, inertia, clusters },
    history: Array.from({ length: iterations }, (_, i) => historyRow(i + 1, points.n)),
    timings: {
      ...{ loadMs: 1.5, uploadMs: 0.25, initMs: 0.5, assignMs: 2, updateMs: 1, convergeMs: 0.125 },
      ...{ iterateMs: null, downloadMs: 0.25, otherMs: 0.125, totalMs: 4.25 },
    },
    hostDeviceBytesPerIteration: 24,
    machine: {
      ...{ cpu: 'Test processor', cores: 2, memoryBytes: 2 ** 33, os: 'Test OS 1', devices: ['cpu'] },
      versions: { app: '0.1.0', node: '22.0.0' },
    },
    warnings: ['One warning.'],
  }
}

async function clusterRows({ points, labels, centroids, config }: Parts): Promise<RunRecord['clusters']> {
  const { d, exponent } = points
  const file = points.toFile(centroids, config.k) ?? (await points.memberMeans(labels, config.k, never))
  return Array.from({ length: config.k }, (_, cluster) => {
    const members = [...labels.keys()].filter((row) => labels[row] === cluster)
    const squared = members.map((row) => squaredDistance(points.x, row, centroids, cluster, d))
    const centroid = [...file.subarray(cluster * d, (cluster + 1) * d)]
    return {
      cluster,
      size: members.length,
      inertia: squared.reduce((sum, one) => sum + one, 0) * 4 ** exponent,
      centroid: centroid.every(Number.isFinite) ? centroid : null,
    }
  })
}

function historyRow(iteration: number, n: number): IterationRow {
  return {
    ...{ run: 0, iteration, inertia: 100 / iteration, maxShift: 0.1 / iteration, shiftSquared: 0.02 },
    ...{ changed: iteration === 1 ? n : null, emptyClusters: 0, assignMs: 0.75, updateMs: 0.3 },
    ...{ convergeMs: null, iterateMs: null, totalMs: 1.2 },
  }
}
