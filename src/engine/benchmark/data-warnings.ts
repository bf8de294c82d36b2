import type { BenchmarkDocument, DataWarnings } from '@shared/benchmark/document'
import type { DatasetCache } from './dataset-cache'

/** The document with what is known to be wrong with its data; what was known before of data not read again stays. */
export async function withDataWarnings(
  document: BenchmarkDocument,
  datasets: DatasetCache,
): Promise<BenchmarkDocument> {
  const { suite, dataWarnings: before = [] } = document
  const found: DataWarnings[] = []
  for (const { dataset } of suite.cases) {
    const { name } = dataset
    const known = before.find((one) => one.dataset === name)?.warnings
    const warnings = (await datasets.warnings(dataset, suite.config)) ?? known ?? []
    if (warnings.length > 0 && found.every((one) => one.dataset !== name))
      found.push({ dataset: name, warnings })
  }
  const { dataWarnings: _before, ...rest } = document
  return found.length === 0 ? rest : { ...rest, dataWarnings: found }
}
