import { defaultRepeats, defaultWarmup, type SuitePreset } from '@shared/benchmark/suite'
import { plural } from '@shared/quantity-words'
import { configOf, generatedCase, onCpu, onDevices, ours } from './parts'

const pointCounts = [1000, 4000, 16_000, 64_000, 256_000, 1_024_000]
const featureCounts = [1, 2, 4, 8, 16, 32, 64, 128]
const k = 16

/** Ours: small enough to be seen through, and each with something that trips a careless kernel. */
const smallFiles = [
  generatedCase('three blobs of 4 points', { shape: 'blobs', n: 12, d: 2, spread: 0.01, seed: 3 }, [3]),
  generatedCase('100 points (fewer than 512 workers)', { shape: 'blobs', n: 100, d: 3 }, [4]),
  generatedCase('513 points (one more than the workers)', { shape: 'blobs', n: 513, d: 2 }, [5, 13]),
  generatedCase('a line of 1000 points (not a multiple of 512)', { n: 1000, d: 1 }, [2, 10]),
  generatedCase('60 points, most of them repeated (empty clusters)', { n: 60, d: 2, duplicates: 0.8 }, [8]),
]

const common = {
  format: 1,
  scale: 1,
  contenders: [...onCpu('sequential'), ...onDevices('sort-reduce', 'hybrid', 'partial-sums'), ...ours()],
  timing: 'phases',
  warmup: defaultWarmup,
  repeats: defaultRepeats,
  baseline: 'cpu/sequential',
  publication: null,
} as const

const fixedIterations = configOf({ init: 'first-k', stop: 'none', tolerance: null, maxIterations: 20 })
const untilNothingMoves = configOf({ init: 'first-k', stop: 'labels', tolerance: 0, maxIterations: 300 })
/** Of the project we know what its folders vary and how it times, and no number. */
const unpublished = 'Sizes, k, start and stop are a choice of ours; of the project no figures are known.'

/** The Polish project: what two of its data folders vary. */
export const fourModules: readonly SuitePreset[] = [
  {
    id: 'four-modules-points',
    suite: {
      ...common,
      name: 'Four modules: number of points',
      description: [
        `A sweep of the number of points, d = 4, k = ${k}, 20 iterations, timed in phases, iterations and as a whole.`,
        unpublished,
      ].join(' '),
      cases: pointCounts.map((n) => generatedCase(`${n} points`, { n, d: 4 }, [k])),
      config: fixedIterations,
    },
  },
  {
    id: 'four-modules-features',
    suite: {
      ...common,
      name: 'Four modules: number of features',
      description: [
        `A sweep of the number of features at 100000 points, k = ${k}, 20 iterations, timed in phases, iterations and as a whole.`,
        unpublished,
      ].join(' '),
      cases: featureCounts.map((d) => generatedCase(plural(d, 'feature'), { n: 100_000, d }, [k])),
      config: fixedIterations,
    },
  },
]

/** In the place of its third folder, of small files; they are small at every scale. */
export const fourModulesSmall: SuitePreset = {
  id: 'four-modules-small',
  suite: {
    ...common,
    name: 'Four modules: small files',
    description: [
      'Small data on which correctness is easily seen, until no label changes; they keep their size at every scale.',
      unpublished,
    ].join(' '),
    cases: smallFiles,
    config: untilNothingMoves,
  },
}
