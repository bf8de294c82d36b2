import type { Suite, SuiteDataset } from '@shared/benchmark/suite'

/** A suite as plain data: what a reactive draft holds of it cannot cross to another process as it stands. */
export function plainSuite(suite: Suite): Suite {
  const { cases, contenders, config, publication } = suite
  return {
    ...suite,
    cases: cases.map(({ dataset, k }) => ({ dataset: plainDataset(dataset), k: [...k] })),
    contenders: contenders.map((contender) => ({ ...contender })),
    config: { ...config, features: config.features && [...config.features] },
    publication: publication && {
      ...publication,
      times: publication.times.map((time) => ({ ...time })),
      ratios: publication.ratios.map((ratio) => ({ ...ratio })),
    },
  }
}

function plainDataset(dataset: SuiteDataset): SuiteDataset {
  if (dataset.kind === 'loaded') return { ...dataset }
  if (dataset.kind === 'generated') return { ...dataset, spec: { ...dataset.spec } }
  const { overrides } = dataset
  if (overrides === undefined) return { ...dataset }
  const { columnTypes } = overrides
  return { ...dataset, overrides: { ...overrides, ...(columnTypes && { columnTypes: { ...columnTypes } }) } }
}
