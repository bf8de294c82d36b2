import { invalidArgument } from '@shared/errors'
import type { EngineId, RunShape } from '@shared/variant'

/** One problem of the tables that the goals are written in. */
export interface Configuration extends RunShape {
  readonly name: string
  readonly table: 'cpu' | 'gpu'
}

/** The tables of the benchmark; the processor's problems have the letters of their table. */
export const configurations: readonly Configuration[] = [
  { name: 'A', table: 'cpu', n: 100_000, d: 2, k: 5 },
  { name: 'C', table: 'cpu', n: 50_000, d: 2, k: 512 },
  { name: 'D', table: 'cpu', n: 32_768, d: 2, k: 250 },
  { name: 'E', table: 'cpu', n: 1_000_000, d: 8, k: 400 },
  { name: 'F', table: 'cpu', n: 1_000_000, d: 2, k: 10 },
  { name: 'G', table: 'cpu', n: 200_000, d: 64, k: 256 },
  { name: '100k-2-5', table: 'gpu', n: 100_000, d: 2, k: 5 },
  { name: '50k-2-512', table: 'gpu', n: 50_000, d: 2, k: 512 },
  { name: '4M-8-200', table: 'gpu', n: 4_000_000, d: 8, k: 200 },
  { name: '1M-8-400', table: 'gpu', n: 1_000_000, d: 8, k: 400 },
  { name: '10M-2-10', table: 'gpu', n: 10_000_000, d: 2, k: 10 },
  { name: '100M-2-10', table: 'gpu', n: 100_000_000, d: 2, k: 10 },
  { name: '1M-64-1024', table: 'gpu', n: 1_000_000, d: 64, k: 1024 },
  { name: '1M-128-1024', table: 'gpu', n: 1_000_000, d: 128, k: 1024 },
  { name: '8M-128-1024', table: 'gpu', n: 8_000_000, d: 128, k: 1024 },
]

/**
 * The problems asked for, fewer points of each where scaled down, never fewer than clusters.
 * @param asked names, `cpu`, `gpu` or `all`, with commas between; null for all of them
 * @throws LabError for a name that is none.
 */
export function chosenConfigurations(asked: string | null, scale: number): Configuration[] {
  const words = (asked ?? 'all').split(',').map((word) => word.trim())
  const unknown = words.find((word) => !configurations.some((each) => isNamed(each, word)))
  if (unknown !== undefined) {
    const names = configurations.map(({ name }) => name).join(', ')
    throw invalidArgument(`cpu, gpu, all or some of ${names}`, '--configurations', unknown)
  }
  return configurations
    .filter((each) => words.some((word) => isNamed(each, word)))
    .map((each) => ({ ...each, n: Math.max(each.k, Math.round(each.n * scale)) }))
}

/** Whether an engine takes part: in its own table, and in what was asked for by name. */
export function takesPart(engine: EngineId, { name, table }: Configuration, asked: string | null): boolean {
  const isOwn = (table === 'cpu') === (engine === 'cpu')
  return isOwn || (asked?.split(',').some((word) => word.trim() === name) ?? false)
}

function isNamed({ name, table }: Configuration, word: string): boolean {
  return word === 'all' || word === table || word.toUpperCase() === name.toUpperCase()
}
