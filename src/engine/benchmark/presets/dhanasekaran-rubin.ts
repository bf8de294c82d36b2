import {
  defaultRepeats,
  defaultWarmup,
  type Publication,
  type PublishedRatio,
  type PublishedTime,
  type Suite,
  type SuiteCase,
  type SuitePreset,
} from '@shared/benchmark/suite'
import { configOf, generatedCase, milliseconds, onCpu, onDevices, ours } from './parts'

const title = 'Dhanasekaran & Rubin 2011'
const hardware = 'Radeon HD 5870, Core i7 920 (4 cores), 8 GB'
const measured = [
  'Total wall time of 50 forced iterations with transfers, without the creation of the data, on uniform random data.',
  'The printed listing lacks barriers between uses of its index array and needs n to be a multiple of 256 and the array to hold the larger of k and the group.',
]

const million = 1_000_000

/** Seconds as printed. */
const table = [
  { n: million, d: 4, k: 400, mineBench: 35.84, tbb: 35.99 },
  { n: million, d: 6, k: 400, mineBench: 43.92, tbb: 43.92 },
  { n: 4 * million, d: 2, k: 100, mineBench: 26.96, tbb: 29.31 },
  { n: million, d: 8, k: 400, mineBench: 51.86, tbb: 52.08 },
  { n: 4 * million, d: 8, k: 200, mineBench: 102.83, tbb: 106.4 },
] as const

/** The study names the axes of its figures and not every point of them: these are ours. */
const featureCounts = [2, 4, 8, 16]
const millionWords = [1, 2, 4, 8, 16, 32]
const fewerMillionWords = [1, 4, 16]

const contenders = [
  ...onCpu('openmp', 'tbb'),
  ...onDevices('irregular-reduction', 'hybrid-parallel'),
  ...ours(),
]

const common = {
  format: 1,
  scale: 1,
  contenders,
  config: configOf({ init: 'random', stop: 'none', tolerance: null, maxIterations: 50 }),
  timing: 'total',
  warmup: defaultWarmup,
  repeats: defaultRepeats,
  baseline: 'cpu/openmp',
} as const

type Part = Pick<Suite, 'description' | 'cases'> &
  Pick<Publication, 'times' | 'ratios'> & { readonly notes: readonly string[] } & Partial<
    Pick<Suite, 'baseline'>
  >

function preset(part: string, name: string, { notes, times, ratios, ...own }: Part): SuitePreset {
  const publication: Publication = { title, hardware, note: [...measured, ...notes].join(' '), times, ratios }
  return { id: `dhanasekaran-rubin-${part}`, suite: { ...common, name, ...own, publication } }
}

const nameOf = (n: number, d: number) => `${n} points, d ${d}`

const gpuOnly = 'cuda/irregular-reduction'
const hybrid = 'cuda/hybrid-parallel'

/** Smallest, mean and largest ratio as printed in figure 7's table. */
const gpuOnlyOverHybrid = [
  { k: 10, min: 2.6, mean: 3.2, max: 3.5 },
  { k: 100, min: 1.2, mean: 1.7, max: 1.9 },
  { k: 400, min: 0.9, mean: 1, max: 1.1 },
] as const

/** What is printed for GPU only over the hybrid, for those k that a preset has. */
const overHybrid = (...k: readonly number[]): readonly PublishedRatio[] =>
  gpuOnlyOverHybrid
    .filter((printed) => k.includes(printed.k))
    .map((printed) => ({ ...printed, systems: 'GPU only over hybrid', contender: gpuOnly, over: hybrid }))

const overMineBench: PublishedRatio = {
  ...{ k: 100, systems: 'GPU only over MineBench', contender: gpuOnly, over: 'cpu/openmp' },
  ...{ min: null, mean: null, max: 35 },
}

const abstractSays =
  'For k = 100 GPU only over hybrid is 1.5 on average in the abstract and 1.7 in the table of figure 7.'

const notPrinted = 'The points of the figure are not printed as numbers.'

const tableSuite: Part = {
  description: 'The systems on the CPU against those on the device: five sizes, 50 iterations forced.',
  cases: table.map(({ n, d, k }) => generatedCase(nameOf(n, d), { n, d }, [k])),
  notes: [abstractSays],
  times: table.flatMap(({ n, d, k, mineBench, tbb }): readonly PublishedTime[] => {
    const workload = { dataset: nameOf(n, d), k, speedup: null }
    return [
      { ...workload, contender: 'cpu/openmp', system: 'MineBench', ms: milliseconds(mineBench) },
      { ...workload, contender: 'cpu/tbb', system: 'TBB', ms: milliseconds(tbb) },
    ]
  }),
  ratios: [...overHybrid(100, 400), overMineBench],
}

/** A line for each number of features; a word is one number of 4 bytes, n d of them. */
function wordCases(millions: readonly number[], k: readonly number[]): readonly SuiteCase[] {
  return featureCounts.flatMap((d) =>
    millions.map((words) =>
      generatedCase(`${words} million words, d ${d}`, { n: (words * million) / d, d }, k),
    ),
  )
}

const figure5: Part = {
  description: `Time against the size of the data, 1 to 32 million words, a line for each of d = ${featureCounts.join(', ')} (a choice of ours), one panel for k = 100 and one for k = 400.`,
  cases: wordCases(millionWords, [100, 400]),
  notes: [notPrinted, abstractSays],
  times: [],
  ratios: [...overHybrid(100, 400), overMineBench],
}

const figure7: Part = {
  description:
    'GPU only (irregular-reduction) over the hybrid (hybrid-parallel), ordered by the words that cross between host and device in an iteration: n + k d of them for the hybrid, so the cases stand in the order of n (sizes a choice of ours).',
  cases: wordCases(fewerMillionWords, [10, 100, 400]).toSorted((a, b) => pointsOf(a) - pointsOf(b)),
  notes: [notPrinted, abstractSays],
  times: [],
  ratios: overHybrid(10, 100, 400),
  baseline: hybrid,
}

const figure8: Part = {
  description:
    'GPU only (irregular-reduction) and the hybrid (hybrid-parallel), both over MineBench (openmp; sizes a choice of ours).',
  cases: wordCases(fewerMillionWords, [10, 100, 400]),
  notes: [notPrinted],
  times: [],
  ratios: [overMineBench],
}

function pointsOf({ dataset }: SuiteCase): number {
  return dataset.kind === 'generated' ? dataset.spec.n : 0
}

const figureName = (at: number): string => `Dhanasekaran & Rubin: figure ${at}`

/** The table, and figures 5, 7 and 8. */
export const dhanasekaranRubin: readonly SuitePreset[] = [
  preset('table', 'Dhanasekaran & Rubin: table', tableSuite),
  preset('figure-5', figureName(5), figure5),
  preset('figure-7', figureName(7), figure7),
  preset('figure-8', figureName(8), figure8),
]
