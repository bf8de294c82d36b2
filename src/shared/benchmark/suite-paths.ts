import type { Suite, SuiteDataset } from './suite'

/** What turns the name of a file into another: a token into its path, or a path into a token. */
export type Rename = (name: string) => string

/** A suite whose files are named otherwise: the page knows tokens only, the host paths only. */
export function withFiles(suite: Suite, rename: Rename): Suite {
  const { centroidsFile } = suite.config
  return {
    ...suite,
    cases: suite.cases.map((one) => ({ ...one, dataset: renamed(one.dataset, rename) })),
    config: { ...suite.config, centroidsFile: centroidsFile === null ? null : rename(centroidsFile) },
  }
}

function renamed(dataset: SuiteDataset, rename: Rename): SuiteDataset {
  return dataset.kind === 'file' ? { ...dataset, path: rename(dataset.path) } : dataset
}
