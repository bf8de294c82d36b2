import { appVersion } from '../app-version'
import { cpuModel } from '../machine'
import { calibrationPath, readCosts, writeCosts, type Costs } from './calibration-file'
import type { Cost } from './cost-model'

/** Longest that one of them may take of the time for all. */
const maxEachMs = 2000

/** Costs of this process, for the file and machine they belong to. */
let inMemory: { readonly key: string; readonly costs: Costs } = { key: '', costs: {} }

/** Whose cost is asked for, and how it is measured where it is not known. */
export interface Wanted {
  /** In the file; the same thing has the same name always. */
  readonly name: string
  /** @param budgetMs about what it may take */
  measure(budgetMs: number): Promise<Cost>
}

export interface Patience {
  /** About what measuring may take, for all that is missing together. */
  readonly budgetMs: number
  /** What is known only roughly is measured once more. */
  readonly isExacting: boolean
}

async function remembered() {
  const path = calibrationPath()
  const machine = [appVersion(), cpuModel(), process.arch].join('|')
  const key = `${path}|${machine}`
  const costs = inMemory.key === key ? inMemory.costs : await readCosts(path, machine)
  inMemory = { key, costs }
  return { path, machine, key, costs }
}

/**
 * From memory or the file; what is missing there is measured once and kept.
 * @throws LabError `cancelled`; what cannot be measured is null, for this process
 */
export async function knownCosts(
  wanted: readonly Wanted[],
  { budgetMs, isExacting }: Patience,
  signal: AbortSignal,
): Promise<Costs> {
  const { path, machine, key, costs: known } = await remembered()
  const isMissing = (cost: Cost | null | undefined) =>
    cost === undefined || (isExacting && cost?.isRough === true)
  const byName = new Map(wanted.map((one) => [one.name, one]))
  const missing = [...byName.values()].filter(({ name }) => isMissing(known[name]))
  if (missing.length === 0) return known
  const measured: Record<string, Cost | null> = {}
  const shareMs = Math.min(maxEachMs, budgetMs / missing.length)
  try {
    for (const one of missing) measured[one.name] = await orNull(one.measure(shareMs), signal)
  } finally {
    // What a cancel left is kept as well: it took its time.
    inMemory = { key, costs: { ...known, ...measured } }
    await writeCosts(path, machine, inMemory.costs)
  }
  return inMemory.costs
}

/** A contender that fails is out for this process; when all fail, the run itself tells why. */
async function orNull(measuring: Promise<Cost>, signal: AbortSignal): Promise<Cost | null> {
  try {
    return await measuring
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}
