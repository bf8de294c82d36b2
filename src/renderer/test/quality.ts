/** Plain answers of the engine about k and clusters. */
import type { CrossTable } from '@shared/cross-table'
import type { FeatureStatistics, Profile } from '@shared/profile'
import { defaultRunConfig } from '@shared/run-config'
import type { ScanConfig, ScannedK, ScanRecord, ScanRestart } from '@shared/scan'
import { summary } from './fixtures'

export const scanConfig = (change: Partial<ScanConfig> = {}): ScanConfig => ({
  run: defaultRunConfig,
  kMin: 2,
  kMax: 4,
  restarts: 2,
  indices: ['silhouette', 'calinski-harabasz', 'davies-bouldin'],
  silhouette: 'auto',
  ...change,
})

export const scanRestart = (k: number, restart: number, inertia: number): ScanRestart => ({
  ...{ k, restart, seed: 1 + restart, inertia, iterations: 5, stopped: 'relative-shift', seconds: 0.002 },
  calinskiHarabasz: 1000 / inertia,
  daviesBouldin: inertia / 100,
})

/** The second restart is the worse one. */
export const scannedK = (k: number, inertia: number, change: Partial<ScannedK> = {}): ScannedK => ({
  k,
  restarts: [scanRestart(k, 0, inertia), scanRestart(k, 1, inertia * 1.1)],
  best: 0,
  silhouette: { mean: 1 / k, standardError: null, points: 150 },
  gap: null,
  sizes: Array.from({ length: k }, () => Math.floor(150 / k)),
  ...change,
})

export function scanRecord(change: Partial<ScanRecord> = {}): ScanRecord {
  return {
    id: 'scan-1',
    startedAt: '2026-01-01T00:00:00.000Z',
    file: summary().file,
    config: scanConfig(),
    features: [],
    n: 150,
    d: 4,
    ran: { engine: 'cpu', device: 'cpu', deviceName: 'AMD EPYC', variant: 'fused' },
    rows: [scannedK(2, 152), scannedK(3, 79), scannedK(4, 57)],
    pending: [],
    suggestions: { knee: 3, silhouette: 2, calinskiHarabasz: 4, daviesBouldin: 4, gap: null },
    isComplete: true,
    seconds: 0.05,
    uploadSeconds: 0,
    warnings: [],
    ...change,
  }
}

function statistics(means: readonly number[], sd: number): FeatureStatistics {
  const of = (shift: number) => Float64Array.from(means, (mean) => mean + shift)
  return {
    mean: of(0),
    sd: Float64Array.from(means, () => sd),
    min: of(-2 * sd),
    q25: of(-0.5 * sd),
    median: of(0.1 * sd),
    q75: of(0.5 * sd),
    max: of(2 * sd),
  }
}

/**
 * Two clusters of 50 and 100 rows: `petal length (cm)` parts them by far, `width` a little, `ash` not at all. Means of all rows:
 * 3, 2, 7.
 */
export function engineProfile(change: Partial<Profile> = {}): Profile {
  const difference = Float64Array.of(-4, 0.5, 0.01, 4, -0.5, -0.01)
  return {
    features: [
      { index: 0, name: 'petal length (cm)' },
      { index: 1, name: 'width' },
      { index: 2, name: 'ash' },
    ],
    whole: statistics([3, 2, 7], 1),
    start: 0,
    count: 2,
    clusters: { ...statistics([1, 2.5, 7, 4, 1.75, 7], 0.5), z: difference, difference },
    sizes: Float64Array.of(50, 100),
    ranked: Int32Array.of(0, 1, 2, 0, 1, 2),
    nearest: Int32Array.of(1, 0),
    nearestDistance: Float64Array.of(3.2, 3.2),
    ...change,
  }
}

export const crossTable = (change: Partial<CrossTable> = {}): CrossTable => ({
  column: 4,
  name: 'species',
  categories: ['setosa', 'virginica'],
  clusters: 2,
  counts: Float64Array.of(48, 2, 10, 89),
  missing: Float64Array.of(0, 1),
  total: 149,
  adjustedRand: 0.712345,
  mutualInformation: 0.654321,
  ...change,
})
