import {
  defaultRepeats,
  defaultWarmup,
  type Publication,
  type PublishedTime,
  type SuitePreset,
} from '@shared/benchmark/suite'
import { configOf, generatedCase, milliseconds, onCpu, onDevices, ours, outside } from './parts'

const k = 5
const iterations = 300

const sizes = [
  { name: '100 points', n: 100 },
  { name: '100000 points', n: 100_000 },
] as const

/** System of the study, the contender that stands for it, and its seconds for each of `sizes`. */
const table = [
  { system: 'NumPy', contender: 'outside/numpy', seconds: [0.01432, 7.42498] },
  { system: 'C++', contender: 'cpu/sequential', seconds: [0.00054, 0.26804] },
  { system: 'Eigen', contender: 'cpu/eigen', seconds: [0.00137, 0.985] },
  { system: 'CUDA 1', contender: 'cuda/global-atomics', seconds: [0.00956, 0.0752] },
  { system: 'CUDA 2', contender: 'cuda/shared-centroids', seconds: [0.00878, 0.0611] },
  { system: 'CUDA 3', contender: 'cuda/tree-reduction', seconds: [0.00822, 0.0171] },
  { system: 'scikit-learn', contender: 'outside/scikit-learn', seconds: [0.00137, 1.22683] },
  { system: 'scipy', contender: 'outside/scipy', seconds: [0.01474, 1.54127] },
] as const

const note = [
  'Mean of 5 runs of T = 300 iterations, k = 5; for scikit-learn 300 is an upper limit, for scipy the number of restarts (here scipy makes 300 iterations of one start).',
  'The printed "CUDA 3" computes wrong centroids (its coarse reduction never sums the counts and divides sums that are not reduced), so its 0.0171 s is not a time of k-means.',
  'In the printed "Eigen" the counts start at 1 and a starting centroid is one number instead of a row, and "NumPy" does not count a coordinate that is zero.',
  'In CUDA 2 and CUDA 3 a thread returns before a barrier; CUDA 3 alone reduces in a block, and its last block reduces stale values where n is not a multiple of 1024.',
  'The study shuffles x and y separately and picks with replacement, so that its starting centroids are not data points and may be equal; here the start is k different rows.',
  'Its data are blobs by make_blobs with as many centres as clusters; the blobs here have the same spread (standard deviation 1 in a region of 20 x 20), but their centres are kept apart and off the edge, where make_blobs draws them uniformly.',
].join(' ')

const publication: Publication = {
  title: 'Goldsborough 2017',
  hardware: 'Titan X Pascal (the report says GeForce GTX)',
  note,
  times: sizes.flatMap(({ name }, index) =>
    table.map(({ system, contender, seconds }): PublishedTime => ({
      dataset: name,
      k,
      contender,
      system,
      ms: milliseconds(seconds[index]),
      speedup: null,
    })),
  ),
  ratios: [],
}

const contenders = [
  ...onCpu('sequential', 'eigen'),
  ...onDevices('global-atomics', 'thrust', 'shared-centroids', 'tree-reduction'),
  ...outside('numpy', 'scikit-learn', 'scipy'),
  ...ours(),
]

/** As make_blobs has them where nothing is said: centres in -10..10 (here 0..20), standard deviation 1. */
const blobs = { shape: 'blobs', k, width: 20, height: 20, spread: 1 / 20 } as const

const common = {
  format: 1,
  scale: 1,
  cases: sizes.map(({ name, n }) => generatedCase(name, { ...blobs, n, d: 2 }, [k])),
  contenders,
  timing: 'total',
  warmup: defaultWarmup,
  repeats: defaultRepeats,
  baseline: 'cpu/sequential',
} as const

/** The table of seconds, and the report's form that stops on the objective function. */
export const goldsborough: readonly SuitePreset[] = [
  {
    id: 'goldsborough-table',
    suite: {
      ...common,
      name: 'Goldsborough: table',
      description:
        'Two-dimensional points in as many blobs as clusters, random points as the start, 300 iterations in every system that can be held to a number.',
      config: configOf({ init: 'random', stop: 'none', tolerance: null, maxIterations: iterations }),
      publication,
    },
  },
  {
    id: 'goldsborough-objective',
    suite: {
      ...common,
      name: 'Goldsborough: objective',
      description: [
        'The form that a later report gives, from random centroids until the objective function falls by less than a threshold.',
        'Whether its centroids are points or coordinates is not said: here they are k different points, as in the table, and --init random-box draws coordinates.',
        'The threshold and the limit of 300 are ours; no times of it are known.',
      ].join(' '),
      config: configOf({ init: 'random', stop: 'inertia', tolerance: null, maxIterations: iterations }),
      publication: null,
    },
  },
]
