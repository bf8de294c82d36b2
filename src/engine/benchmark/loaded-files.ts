import { isDeepStrictEqual } from 'node:util'
import { cellId, rowsByCell } from '@shared/benchmark/cells'
import type { BenchmarkDocument, LoadedFile } from '@shared/benchmark/document'
import type { SuiteDataset } from '@shared/benchmark/suite'
import { LabError } from '@shared/errors'
import { overridesOf } from '@shared/import-overrides'
import type { Dataset } from '../dataset/dataset'

type LoadedDataset = Extract<SuiteDataset, { kind: 'loaded' }>

/** Notes which files the loaded datasets are, so that the comparison can be resumed another day. */
export function withLoadedFiles(document: BenchmarkDocument, all: readonly Dataset[]): BenchmarkDocument {
  const loadedFiles = document.suite.cases.flatMap(({ dataset }) => {
    const found = dataset.kind === 'loaded' && all.find(({ id }) => id === dataset.datasetId)
    return found ? [noted(dataset.name, found)] : []
  })
  return loadedFiles.length === 0 ? document : { ...document, loadedFiles }
}

function noted(name: string, { file, receipt }: Dataset): LoadedFile {
  const overrides = overridesOf(receipt)
  const read = Object.keys(overrides).length > 0 && { overrides }
  return { name, path: file.path, sha256: file.sha256, ...read }
}

/** For who knows nothing of a window: each loaded dataset is named by its file, where that was noted. */
export function namedByFiles({ loadedFiles = [], ...document }: BenchmarkDocument): BenchmarkDocument {
  return withDatasets(document, (dataset) => {
    const file = loadedFiles.find(({ name }) => name === dataset.name)
    return file === undefined ? dataset : { kind: 'file', path: file.path, name: file.name, ...readBy(file) }
  })
}

function readBy({ overrides }: LoadedFile) {
  return overrides === undefined ? {} : { overrides }
}

/**
 * With the ids that its files have now. A file is the one it was when its bytes are, and it is read the same way: rows of
 * other data would stand beside those that are there.
 * @throws LabError `dataset.unknown` that names a file which is still needed and is not open as it was
 */
export function openedAgain(document: BenchmarkDocument, all: readonly Dataset[]): BenchmarkDocument {
  return withDatasets(document, (dataset) => {
    if (!isNeeded(dataset, document)) return dataset
    const file = document.loadedFiles?.find(({ name }) => name === dataset.name)
    if (file === undefined) return requireSameId(dataset, all)
    const same = all.filter((one) => isSame(file, one))
    const found = same.find(({ id }) => id === dataset.datasetId) ?? same[0]
    if (found === undefined) throw notOpen(file, all)
    return { ...dataset, datasetId: found.id }
  })
}

function withDatasets(
  document: BenchmarkDocument,
  changed: (dataset: LoadedDataset) => SuiteDataset,
): BenchmarkDocument {
  const cases = document.suite.cases.map((one) =>
    one.dataset.kind === 'loaded' ? { ...one, dataset: changed(one.dataset) } : one,
  )
  return { ...document, suite: { ...document.suite, cases } }
}

function isNeeded({ name }: LoadedDataset, { plan, rows }: BenchmarkDocument): boolean {
  const finished = rowsByCell(rows)
  return plan.length === 0 || plan.some((cell) => cell.dataset === name && !finished.has(cellId(cell)))
}

function isSame(noted: LoadedFile, { file, receipt }: Dataset): boolean {
  const isSameRead = isDeepStrictEqual(noted.overrides ?? {}, overridesOf(receipt))
  return noted.sha256 !== null && noted.sha256 === file.sha256 && isSameRead
}

function requireSameId(dataset: LoadedDataset, all: readonly Dataset[]): LoadedDataset {
  if (all.some(({ id }) => id === dataset.datasetId)) return dataset
  throw unknown(
    `${dataset.name} is no longer loaded and this comparison does not say which file it was: start a new comparison.`,
  )
}

function notOpen({ name, path, sha256 }: LoadedFile, all: readonly Dataset[]): LabError {
  if (sha256 !== null && all.some(({ file }) => file.sha256 === sha256)) {
    return unknown(
      `${name} was loaded with other settings than when this comparison began: load it with those, or start a new comparison.`,
    )
  }
  if (all.some(({ file }) => file.path === path)) {
    return unknown(
      `${name} has changed since this comparison began: open it as it was, or start a new comparison.`,
    )
  }
  return unknown(`${name} is not loaded: open this data file, then resume the comparison.`)
}

function unknown(message: string): LabError {
  return new LabError('input', 'dataset.unknown', message)
}
