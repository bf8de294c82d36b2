import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDataset, previewFile } from '@engine/csv/open-dataset'
import type { Dataset } from '@engine/dataset/dataset'
import { delimiters, encodings, type ImportOverrides } from '@shared/dataset'
import { requireAccount } from './account'
import { chanceOf, type Chance } from './chance'
import { mutated } from './mutate-bytes'
import { requireEveryLine, tableWithStrayQuotes } from './stray-quotes'
import { codeOf, requireCleanPrototypes, type Target } from './target'

/** Of a file of examples/ this much is enough to be spoiled. */
const seedBytes = 6000
const patienceMs = 5000
const never = new AbortController().signal

/**
 * Spoiled tables for the reader: a table that accounts for every line and character of the file, or one clear
 * refusal comes out, soon, and never anything else.
 * @param examples a folder of tables; beside it `tests/corpus/files` with awkward ones
 */
export async function csvTarget(examples: string): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'centroid-lab-fuzz-'))
  const path = join(folder, 'table.csv')
  let bytes = 0
  const seeds = [examples, join(dirname(examples), 'tests', 'corpus', 'files')].flatMap(tablesOf)
  return {
    async tryCase(seed) {
      const chance = chanceOf(seed)
      const isPlain = chance.yes(0.3)
      const table = isPlain ? tableWithStrayQuotes(chance) : mutated(chance.of(seeds), chance)
      bytes += table.length
      await writeFile(path, table)
      const began = process.cpuUsage()
      const { outcome, dataset } = await read(path, !isPlain && chance.yes(0.3) ? someOverrides(chance) : {})
      // Of the processor: a busy machine is no fault of the reader.
      const tookMs = process.cpuUsage(began).user / 1000
      if (tookMs > patienceMs) throw new Error(`took ${Math.round(tookMs)} ms`)
      requireCleanPrototypes()
      if (dataset !== null) await requireAccount(path, dataset, chance)
      if (isPlain) requireEveryLine(table, dataset)
      return outcome
    },
    bytes: () => bytes,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

function tablesOf(folder: string): Uint8Array[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.csv'))
  return names.map((name) => readFileSync(join(folder, name)).subarray(0, seedBytes))
}

interface Reading {
  readonly outcome: string
  readonly dataset: Dataset | null
}

async function read(path: string, overrides: ImportOverrides): Promise<Reading> {
  const refusal = await previewFile(path, overrides).then(() => null, codeOf)
  const refused = (thrown: unknown): Reading => ({ outcome: codeOf(thrown), dataset: null })
  return openDataset(path, overrides, () => undefined, never).then((dataset) => {
    if (refusal !== null) throw new Error(`the preview refused what was loaded: ${refusal}`)
    requireWhole(dataset)
    return { outcome: dataset.receipt.doubtfulRows > 0 ? 'loaded, with doubtful quotes' : 'loaded', dataset }
  }, refused)
}

/** @throws Error where a loaded table is none */
function requireWhole({ rows, columns, numeric }: Dataset): void {
  if (columns.length === 0) throw new Error('a table without columns')
  for (const column of numeric) {
    if (column === undefined) continue
    if (column.length !== rows) throw new Error(`${column.length} values in ${rows} rows`)
    for (let row = 0; row < rows; row++) {
      if (Math.abs(column.at(row)) === Infinity) throw new Error('an infinite value')
    }
  }
}

function someOverrides(chance: Chance): ImportOverrides {
  return {
    ...(chance.yes(0.4) && { delimiter: chance.of(delimiters) }),
    ...(chance.yes(0.3) && { encoding: chance.of(encodings) }),
    ...(chance.yes(0.3) && { quote: chance.of(['"', "'", ''] as const) }),
    ...(chance.yes(0.3) && { header: chance.yes(0.5) }),
    ...(chance.yes(0.3) && { decimal: chance.of(['.', ','] as const) }),
    ...(chance.yes(0.2) && { format: chance.of(['delimited', 'headed'] as const) }),
    ...(chance.yes(0.2) && { columnTypes: { [chance.below(6)]: chance.of(['numeric', 'text'] as const) } }),
  }
}
