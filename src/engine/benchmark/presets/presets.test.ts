import { describe, expect, it } from 'vitest'
import { variants } from '@kernels/variants'
import { contenderKey, type SuitePreset } from '@shared/benchmark/suite'
import { presets } from '.'

/** Dataset, k, system, contender, milliseconds, speed-up: as the studies print them, written out by hand. */
const printed: Readonly<Record<string, readonly string[]>> = {
  'goldsborough-table': [
    '100 points|5|NumPy|outside/numpy|14.32|-',
    '100 points|5|C++|cpu/sequential|0.54|-',
    '100 points|5|Eigen|cpu/eigen|1.37|-',
    '100 points|5|CUDA 1|cuda/global-atomics|9.56|-',
    '100 points|5|CUDA 2|cuda/shared-centroids|8.78|-',
    '100 points|5|CUDA 3|cuda/tree-reduction|8.22|-',
    '100 points|5|scikit-learn|outside/scikit-learn|1.37|-',
    '100 points|5|scipy|outside/scipy|14.74|-',
    '100000 points|5|NumPy|outside/numpy|7424.98|-',
    '100000 points|5|C++|cpu/sequential|268.04|-',
    '100000 points|5|Eigen|cpu/eigen|985|-',
    '100000 points|5|CUDA 1|cuda/global-atomics|75.2|-',
    '100000 points|5|CUDA 2|cuda/shared-centroids|61.1|-',
    '100000 points|5|CUDA 3|cuda/tree-reduction|17.1|-',
    '100000 points|5|scikit-learn|outside/scikit-learn|1226.83|-',
    '100000 points|5|scipy|outside/scipy|1541.27|-',
  ],
  'di-dio-table': [
    '2048 points|256|C|cpu/sequential|232|-',
    '2048 points|256|OpenMP|cpu/distance-matrix|89|2.6',
    '2048 points|256|CUDA|cuda/distance-matrix|136|1.7',
    '2048 points|500|C|cpu/sequential|582|-',
    '2048 points|500|OpenMP|cpu/distance-matrix|258|2.25',
    '2048 points|500|CUDA|cuda/distance-matrix|240|2.42',
    '32768 points|10|C|cpu/sequential|292|-',
    '32768 points|10|OpenMP|cpu/distance-matrix|287|1.01',
    '32768 points|10|CUDA|cuda/distance-matrix|72|4.05',
    '32768 points|250|C|cpu/sequential|48046|-',
    '32768 points|250|OpenMP|cpu/distance-matrix|6153|7.8',
    '32768 points|250|CUDA|cuda/distance-matrix|11781|4.07',
    '50000 points|250|C|cpu/sequential|47392|-',
    '50000 points|250|OpenMP|cpu/distance-matrix|9867|4.8',
    '50000 points|250|CUDA|cuda/distance-matrix|13741|3.44',
    '50000 points|512|C|cpu/sequential|103881|-',
    '50000 points|512|OpenMP|cpu/distance-matrix|24345|4.26',
    '50000 points|512|CUDA|cuda/distance-matrix|33461|3.1',
  ],
  'dhanasekaran-rubin-table': [
    '1000000 points, d 4|400|MineBench|cpu/openmp|35840|-',
    '1000000 points, d 4|400|TBB|cpu/tbb|35990|-',
    '1000000 points, d 6|400|MineBench|cpu/openmp|43920|-',
    '1000000 points, d 6|400|TBB|cpu/tbb|43920|-',
    '4000000 points, d 2|100|MineBench|cpu/openmp|26960|-',
    '4000000 points, d 2|100|TBB|cpu/tbb|29310|-',
    '1000000 points, d 8|400|MineBench|cpu/openmp|51860|-',
    '1000000 points, d 8|400|TBB|cpu/tbb|52080|-',
    '4000000 points, d 8|200|MineBench|cpu/openmp|102830|-',
    '4000000 points, d 8|200|TBB|cpu/tbb|106400|-',
  ],
}

const timesOf = ({ suite }: SuitePreset) => suite.publication?.times ?? []

describe('published figures', () => {
  const all = presets(1)

  it('stand in one preset each, exactly as printed', () => {
    const shown = all
      .filter((preset) => timesOf(preset).length > 0)
      .map((preset) => [
        preset.id,
        timesOf(preset).map(({ dataset, k, system, contender, ms, speedup }) =>
          [dataset, k, system, contender, ms, speedup ?? '-'].join('|'),
        ),
      ])
    expect(Object.fromEntries(shown)).toEqual(printed)
  })

  it('name the study, its hardware and what is wrong with them', () => {
    const goldsborough = all.find(({ id }) => id === 'goldsborough-table')?.suite.publication
    expect(goldsborough?.hardware).toContain('Titan X Pascal')
    expect(goldsborough?.note).toMatch(/"CUDA 3" computes wrong centroids.*0\.0171 s is not a time/)
  })
})

describe('the data of Goldsborough', () => {
  it('are blobs as make_blobs has them, one centre a cluster, from random rows', () => {
    for (const id of ['goldsborough-table', 'goldsborough-objective']) {
      const suite = presets(1).find((preset) => preset.id === id)?.suite
      expect(suite?.config.init).toBe('random')
      for (const { dataset, k } of suite?.cases ?? []) {
        const spec = dataset.kind === 'generated' ? dataset.spec : null
        expect(spec).toMatchObject({ shape: 'blobs', d: 2, k: k[0], width: 20, height: 20, noise: 0 })
        expect((spec?.spread ?? 0) * (spec?.width ?? 0)).toBe(1)
      }
    }
  })

  it('are said to have started elsewhere, and only CUDA 3 to reduce stale values', () => {
    const note = presets(1)[0]?.suite.publication?.note
    expect(note).toContain('shuffles x and y separately and picks with replacement')
    expect(note).toContain('CUDA 3 alone reduces in a block')
  })
})

describe('what a study leaves open', () => {
  const suiteOf = (id: string) => presets(1).find((preset) => preset.id === id)?.suite

  it('is said to be ours: the kind of random centroids and the threshold of the objective', () => {
    const objective = suiteOf('goldsborough-objective')
    expect(objective?.config.init).toBe('random')
    expect(objective?.description).toMatch(
      /random centroids.*not said: here they are k different points.*random-box.*threshold.*ours/,
    )
  })

  it("is said to be ours: Di Dio's tolerance", () => {
    expect(suiteOf('di-dio-table')?.publication?.note).toContain('the tolerance here, 0.0001, is ours')
  })

  it.each(['points', 'features', 'small'])(
    'is said to be ours: sizes and settings of four-modules-%s',
    (part) => {
      expect(suiteOf(`four-modules-${part}`)?.description).toContain(
        'Sizes, k, start and stop are a choice of ours',
      )
    },
  )
})

it('one feature is no "1 features"', () => {
  const suite = presets(1).find(({ id }) => id === 'four-modules-features')?.suite
  expect(suite?.cases.slice(0, 2).map(({ dataset }) => dataset.name)).toEqual(['1 feature', '2 features'])
})

describe('published ratios', () => {
  const ratiosOf = (figure: string) =>
    presets(1)
      .find(({ id }) => id === `dhanasekaran-rubin-${figure}`)
      ?.suite.publication?.ratios.map(({ k, contender, over, min, mean, max }) =>
        [k, contender, over, min ?? '-', mean ?? '-', max ?? '-'].join('|'),
      )

  it('are the nine of figure 7, GPU only over hybrid', () => {
    expect(ratiosOf('figure-7')).toEqual([
      '10|cuda/irregular-reduction|cuda/hybrid-parallel|2.6|3.2|3.5',
      '100|cuda/irregular-reduction|cuda/hybrid-parallel|1.2|1.7|1.9',
      '400|cuda/irregular-reduction|cuda/hybrid-parallel|0.9|1|1.1',
    ])
  })

  it('stand beside the table and figure 5 as well, for their k', () => {
    for (const part of ['table', 'figure-5']) {
      expect(ratiosOf(part)).toEqual([
        '100|cuda/irregular-reduction|cuda/hybrid-parallel|1.2|1.7|1.9',
        '400|cuda/irregular-reduction|cuda/hybrid-parallel|0.9|1|1.1',
        '100|cuda/irregular-reduction|cpu/openmp|-|-|35',
      ])
    }
  })

  it('of figure 7 have the hybrid as the baseline', () => {
    const suite = presets(1).find(({ id }) => id === 'dhanasekaran-rubin-figure-7')?.suite
    expect(suite?.baseline).toBe('cuda/hybrid-parallel')
  })

  it('are the 35 times over MineBench of figure 8', () => {
    expect(ratiosOf('figure-8')).toEqual(['100|cuda/irregular-reduction|cpu/openmp|-|-|35'])
  })
})

describe.each([1, 0.001])('every preset at scale %d', (scale) => {
  const all = presets(scale)

  it.each(all)('$id holds together', ({ suite }) => {
    const keys = suite.contenders.map(contenderKey)
    const offered = variants.flatMap(({ id, engines }) => Object.keys(engines).map((on) => `${on}/${id}`))
    expect([...offered, 'outside/numpy', 'outside/scikit-learn', 'outside/scipy']).toEqual(
      expect.arrayContaining(keys),
    )
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toEqual(expect.arrayContaining(['cpu/fused', 'cuda/fused', 'webgpu/fused', suite.baseline]))
    const names = suite.cases.map(({ dataset }) => dataset.name)
    expect(new Set(names).size).toBe(names.length)
    for (const time of suite.publication?.times ?? []) {
      expect(keys).toContain(time.contender)
      const workload = suite.cases.find(({ dataset }) => dataset.name === time.dataset)
      expect(workload?.k).toContain(time.k)
    }
    for (const { dataset, k } of suite.cases) {
      const n = dataset.kind === 'generated' ? dataset.spec.n : 0
      expect(n).toBeGreaterThanOrEqual(Math.max(...k))
      expect(k).toEqual([...new Set(k)].toSorted((a, b) => a - b))
    }
  })
})

describe('the systems of each study', () => {
  const goldsborough =
    'eigen global-atomics numpy scikit-learn scipy sequential shared-centroids thrust tree-reduction'
  const rubin = 'hybrid-parallel irregular-reduction openmp tbb'
  const modules = 'hybrid partial-sums sequential sort-reduce'
  it.each([
    ['goldsborough-table', goldsborough],
    ['goldsborough-objective', goldsborough],
    ['di-dio-table', 'distance-matrix openmp sequential'],
    ['dhanasekaran-rubin-table', rubin],
    ['dhanasekaran-rubin-figure-5', rubin],
    ['dhanasekaran-rubin-figure-7', rubin],
    ['dhanasekaran-rubin-figure-8', rubin],
    ['four-modules-points', modules],
    ['four-modules-features', modules],
    ['four-modules-small', modules],
  ])('%s compares %s with ours', (id, systems) => {
    const contenders = presets(1).find((preset) => preset.id === id)?.suite.contenders ?? []
    const names = new Set(contenders.map((one) => (one.kind === 'outside' ? one.system : one.variant)))
    expect([...names].toSorted()).toEqual([...systems.split(' '), 'fused'].toSorted())
  })
})

describe('scale', () => {
  const sizesOf = (scale: number, id: string) =>
    presets(scale)
      .find((preset) => preset.id === id)
      ?.suite.cases.map(({ dataset }) => (dataset.kind === 'generated' ? dataset.spec.n : 0))

  it('multiplies the points, but leaves a point for each cluster and small files alone', () => {
    expect(sizesOf(0.1, 'di-dio-table')).toEqual([500, 3277, 5000])
    expect(sizesOf(0.1, 'dhanasekaran-rubin-table')).toEqual([100_000, 100_000, 400_000, 100_000, 400_000])
    expect(sizesOf(0.1, 'four-modules-small')).toEqual(sizesOf(1, 'four-modules-small'))
  })

  it('names what has more points than the scale would leave, for its figures too', () => {
    const suite = presets(0.05).find(({ id }) => id === 'di-dio-table')?.suite
    const names = suite?.cases.map(({ dataset }) => dataset.name)
    expect(names?.slice(0, 2)).toEqual([
      '2048 points, scale 0.05, at least 500 for k = 500',
      '32768 points, scale 0.05',
    ])
    expect(new Set(suite?.publication?.times.map(({ dataset }) => dataset))).toEqual(new Set(names))
  })

  it('says that published figures are for the full size', () => {
    const suite = presets(0.1).find(({ id }) => id === 'di-dio-table')?.suite
    expect(suite?.description).toMatch(/0\.1 times the points.*full size/)
    expect(suite?.publication?.times).toHaveLength(18)
  })

  it.each([0, -1, NaN, Infinity])('%d is refused in a sentence', (scale) => {
    expect(() => presets(scale)).toThrow(/^Expected a number above 0 for the scale but received/)
  })
})
