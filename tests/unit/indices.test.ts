import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import type { Dataset } from '@engine/dataset/dataset'
import { preparationOf } from '@engine/dataset/preparation'
import { prepare } from '@engine/dataset/prepare'
import { byCluster } from '@engine/quality/labelled-points'
import { crossTable } from '@engine/quality/cross-table'
import { fileValues } from '@engine/quality/file-values'
import { profileFeatures } from '@engine/quality/profiles'
import { silhouettesInSlices } from '@engine/quality/silhouette-values'
import { silhouettesOf } from '@engine/quality/silhouettes'
import { Scan } from '@engine/scan/scan'
import { Slices } from '@engine/slices'
import { bestRestart } from '@shared/metrics/suggestions'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { defaultScanIndices } from '@shared/scan'

const root = join(import.meta.dirname, '..', '..')
const never = new AbortController().signal
const tolerance = 1e-6

interface Scores {
  readonly k: number
  readonly inertia: number
  readonly silhouette: number
  readonly calinskiHarabasz: number
  readonly daviesBouldin: number
  readonly adjustedRand: number
  readonly mutualInformation: number
}

const statistics = ['mean', 'sd', 'min', 'q25', 'median', 'q75', 'max', 'z', 'difference'] as const

/** See tests/indices/record_with_scikit_learn.py. */
interface Recorded {
  readonly name: string
  readonly file: string
  readonly scaling: 'none' | 'standardise'
  readonly scores: readonly Scores[]
  readonly labels: readonly number[]
  readonly silhouettes: readonly number[]
  readonly profiles?: readonly (Readonly<Record<(typeof statistics)[number], number>> & {
    readonly cluster: number
    readonly feature: number
  })[]
}

const { cases } = JSON.parse(readFileSync(join(root, 'tests', 'indices', 'scikit-learn.json'), 'utf8')) as {
  readonly cases: readonly Recorded[]
}

function near(found: number | null | undefined, expected: number, what: string): void {
  expect(Math.abs((found ?? NaN) - expected), `${what}: ${found}, recorded ${expected}`).toBeLessThanOrEqual(
    tolerance * Math.abs(expected),
  )
}

const open = (file: string) => openDataset(join(root, file), {}, () => undefined, never)

/** All columns of numbers, a constant one among them. */
function configOf(dataset: Dataset, { scaling }: Recorded): RunConfig {
  const features = dataset.columns.filter(({ index }) => dataset.numeric[index]).map(({ name }) => name)
  const how = { init: 'first-k', stop: 'labels', engine: 'cpu', variant: 'fused' } as const
  return { ...defaultRunConfig, ...how, features, scaling }
}

describe.each(cases)('indices of $name are those of scikit-learn', (recorded) => {
  it('over a scan from the same start', async () => {
    const dataset = await open(recorded.file)
    const truth = dataset.columns.length - 1
    for (const expected of recorded.scores) {
      const range = { kMin: expected.k, kMax: expected.k, restarts: 1 }
      const asked = { indices: defaultScanIndices, silhouette: 'exact' } as const
      const scan = new Scan(dataset, { run: configOf(dataset, recorded), ...range, ...asked })
      await scan.run({ restart: () => undefined, finishedK: () => undefined }, never)
      const [row] = scan.record().rows
      const best = bestRestart(row)
      const what = `k = ${expected.k}`
      near(best.inertia, expected.inertia, `inertia, ${what}`)
      near(row.silhouette?.mean, expected.silhouette, `silhouette, ${what}`)
      near(best.calinskiHarabasz, expected.calinskiHarabasz, `Caliński-Harabasz, ${what}`)
      near(best.daviesBouldin, expected.daviesBouldin, `Davies-Bouldin, ${what}`)
      const table = await crossTable(await scan.take(expected.k, never), truth, never)
      near(table.adjustedRand, expected.adjustedRand, `adjusted Rand, ${what}`)
      near(table.mutualInformation, expected.mutualInformation, `mutual information, ${what}`)
    }
  })

  it('point by point, with the addon and without it', async () => {
    const dataset = await open(recorded.file)
    const { preparation } = preparationOf(dataset, configOf(dataset, recorded))
    const points = await prepare(dataset, preparation, never)
    const labels = Int32Array.from(recorded.labels)
    const labelled = { points, labels, k: 1 + Math.max(...recorded.labels) }
    const { values } = await silhouettesOf(labelled, { extent: 'exact', seed: 1, signal: never })
    const plain = await silhouettesInSlices(labelled, never)
    // A silhouette is a difference of means over one of them: what is near 0 has an error of those.
    for (const [i, expected] of recorded.silhouettes.entries()) {
      expect(Math.abs(values[i] - expected), `point ${i}`).toBeLessThanOrEqual(tolerance)
      expect(Math.abs(plain[i] - expected), `point ${i} in JavaScript`).toBeLessThanOrEqual(tolerance)
    }
  })
})

const profiled = cases.filter(({ profiles }) => profiles !== undefined)

describe.each(profiled)('profiles of $name', (recorded) => {
  it('are those of NumPy', async () => {
    const dataset = await open(recorded.file)
    const features = dataset.columns.flatMap(({ index }) => (dataset.numeric[index] ? [index] : []))
    const values = fileValues(dataset, { n: dataset.rows, rows: null, features, indicators: [], fill: null })
    const labels = Int32Array.from(recorded.labels)
    const k = 1 + Math.max(...recorded.labels)
    const { clusters } = await profileFeatures(values, byCluster(labels, k), new Slices(never))
    for (const expected of recorded.profiles ?? []) {
      const at = expected.cluster * values.length + expected.feature
      for (const name of statistics) {
        const what = `${name} of cluster ${expected.cluster}, feature ${expected.feature}`
        near(clusters[name][at], expected[name], what)
      }
    }
  })
})
