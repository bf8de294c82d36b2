import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDataset, previewFile } from '@engine/csv/open-dataset'
import type { Dataset } from '@engine/dataset/dataset'
import { delimiters, encodings, type ImportOverrides } from '@shared/dataset'
import { chanceOf, type Chance } from './chance'
import { mutated } from './mutate-bytes'
import { codeOf, requireCleanPrototypes, type Target } from './target'

/** Of a file of examples/ this much is enough to be spoiled. */
const seedBytes = 6000
const patienceMs = 5000
const never = new AbortController().signal

/** Spoiled tables for the reader: a table or one clear refusal comes out, soon, and never anything else. */
export async function csvTarget(examples: string): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'centroid-lab-fuzz-'))
  const path = join(folder, 'table.csv')
  const seeds = readdirSync(examples)
    .filter((name) => name.endsWith('.csv'))
    .map((name) => readFileSync(join(examples, name)).subarray(0, seedBytes))
  return {
    async tryCase(seed) {
      const chance = chanceOf(seed)
      await writeFile(path, mutated(chance.of(seeds), chance))
      const began = process.cpuUsage()
      const outcome = await read(path, chance.yes(0.3) ? someOverrides(chance) : {})
      // Of the processor: a busy machine is no fault of the reader.
      const tookMs = process.cpuUsage(began).user / 1000
      if (tookMs > patienceMs) throw new Error(`took ${Math.round(tookMs)} ms`)
      requireCleanPrototypes()
      return outcome
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

async function read(path: string, overrides: ImportOverrides): Promise<string> {
  const refusal = await previewFile(path, overrides).then(() => null, codeOf)
  return openDataset(path, overrides, () => undefined, never).then((dataset) => {
    if (refusal !== null) throw new Error(`the preview refused what was loaded: ${refusal}`)
    requireWhole(dataset)
    return 'loaded'
  }, codeOf)
}

/** @throws Error where a loaded table is none */
function requireWhole({ rows, columns, numeric }: Dataset): void {
  if (columns.length === 0) throw new Error('a table without columns')
  for (const column of numeric) {
    if (column === undefined) continue
    if (column.values.length !== rows) throw new Error(`${column.values.length} values in ${rows} rows`)
    if (!Number.isFinite(column.offset)) throw new Error(`an offset of ${column.offset}`)
    if (column.values.some((value) => Math.abs(value) === Infinity)) throw new Error('an infinite value')
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
