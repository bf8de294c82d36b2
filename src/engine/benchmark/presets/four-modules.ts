import { defaultRepeats, defaultWarmup, type SuitePreset } from '@shared/benchmark/suite'
import { configOf, onCpu, onDevices, ours, scaledCase, scaledDescription, type FullCase } from './parts'

const pointCounts = [1000, 4000, 16_000, 64_000, 256_000, 1_024_000]
const featureCounts = [1, 2, 4, 8, 16, 32, 64, 128]
const k = 16

/** Small enough to be seen through, and each with something that trips a careless kernel. */
const smallFiles: readonly FullCase[] = [
  {
    name: 'three blobs of 4 points',
    spec: { shape: 'blobs', n: 12, d: 2, k: 3, spread: 0.01, seed: 3 },
    k: [3],
  },
  { name: '100 points (fewer than 512 workers)', spec: { shape: 'blobs', n: 100, d: 3, k: 4 }, k: [4] },
  {
    name: '513 points (one more than the workers)',
    spec: { shape: 'blobs', n: 513, d: 2, k: 5 },
    k: [5, 13],
  },
  {
    name: 'a line of 1000 points (not a multiple of 512)',
    spec: { shape: 'uniform', n: 1000, d: 1 },
    k: [2, 10],
  },
  {
    name: '60 points, most of them repeated (empty clusters)',
    spec: { shape: 'uniform', n: 60, d: 2, duplicates: 0.8 },
    k: [8],
  },
]

const common = {
  format: 1,
  contenders: [...onCpu('sequential'), ...onDevices('sort-reduce', 'hybrid', 'partial-sums'), ...ours()],
  timing: 'phases',
  warmup: defaultWarmup,
  repeats: defaultRepeats,
  baseline: 'cpu/sequential',
  publication: null,
} as const

const fixedIterations = configOf({ init: 'first-k', stop: 'none', tolerance: null, maxIterations: 20 })
const untilNothingMoves = configOf({ init: 'first-k', stop: 'labels', tolerance: 0, maxIterations: 300 })
const unpublished = 'The project has no published figures.'

/** The Polish project: what its data folders vary, and its small files. */
export function fourModules(scale: number): readonly SuitePreset[] {
  const points = pointCounts.map((n) => scaledCase({ name: `${n} points`, spec: { n, d: 4 }, k: [k] }, scale))
  const features = featureCounts.map((d) =>
    scaledCase({ name: `${d} features`, spec: { n: 100_000, d }, k: [k] }, scale),
  )
  const overPoints = `A sweep of the number of points, d = 4, k = ${k}, 20 iterations, timed in phases, iterations and as a whole. ${unpublished}`
  const overFeatures = `A sweep of the number of features at 100000 points, k = ${k}, 20 iterations, timed in phases, iterations and as a whole. ${unpublished}`
  return [
    {
      id: 'four-modules-points',
      suite: {
        ...common,
        name: 'Four modules: number of points',
        description: scaledDescription(overPoints, null, scale),
        cases: points,
        config: fixedIterations,
      },
    },
    {
      id: 'four-modules-features',
      suite: {
        ...common,
        name: 'Four modules: number of features',
        description: scaledDescription(overFeatures, null, scale),
        cases: features,
        config: fixedIterations,
      },
    },
    {
      id: 'four-modules-small',
      suite: {
        ...common,
        name: 'Four modules: small files',
        description: `Small data on which correctness is easily seen, until no label changes; they keep their size at every scale. ${unpublished}`,
        cases: smallFiles.map((file) => scaledCase(file, 1)),
        config: untilNothingMoves,
      },
    },
  ]
}
