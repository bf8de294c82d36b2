import type { OutsideSystem } from '@shared/benchmark/suite'
import type { Costs } from '../auto/calibration-file'
import type { Cost, Shape } from '../auto/cost-model'
import { knownCosts } from '../auto/known-costs'
import { generatePoints } from '../auto/synthetic'
import type { OutsideRunner } from './outside/outside'

const tiny: Shape = { n: 256, d: 2, k: 4 }
/** Large enough that the arithmetic outweighs the interpreter, and over in a tenth of a second. */
const large: Shape = { n: 8192, d: 8, k: 16 }
const iterations = 3
const repeats = 2
/** For the sake of knownCosts: what a system takes does not depend on a budget. */
const budgetMs = 0

/** Name of a system in the calibration, beside those of our contenders. */
export function outsideName(system: OutsideSystem): string {
  return `outside|${system}`
}

/**
 * What baselines outside cost, roughly: from a tiny and a small problem each, measured once and kept.
 * @throws LabError `cancelled`
 */
export function costsOfOutside(
  systems: readonly OutsideSystem[],
  runner: OutsideRunner,
  signal: AbortSignal,
): Promise<Costs> {
  const wanted = systems.map((system) => ({
    name: outsideName(system),
    measure: () => measureSystem(system, runner, signal),
  }))
  return knownCosts(wanted, { budgetMs, isExacting: false }, signal)
}

async function measureSystem(
  system: OutsideSystem,
  runner: OutsideRunner,
  signal: AbortSignal,
): Promise<Cost> {
  const overhead = await measure(system, tiny, runner, signal)
  const work = await measure(system, large, runner, signal)
  const { n, d, k } = large
  return {
    // The first start reads the library from the disk.
    onceMs: 0,
    openMs: Math.min(overhead.openMs, work.openMs),
    openPerCoordinateMs: 0,
    fixedMs: overhead.ms,
    perCoordinateMs: 0,
    perProductMs: Math.max(0, work.ms - overhead.ms) / (n * d * k),
    isRough: true,
  }
}

/** Time of a session's start, and of one iteration of the faster run; labels at the end count as an iteration. */
async function measure(system: OutsideSystem, shape: Shape, runner: OutsideRunner, signal: AbortSignal) {
  const points = generatePoints(shape)
  const { k, d } = shape
  const config = { stop: 'none', maxIterations: iterations } as const
  const job = { points, k, initialCentroids: points.x.slice(0, k * d), config, threshold: 0 }
  const began = performance.now()
  const session = await runner.prepare(system, job, signal)
  const openMs = performance.now() - began
  try {
    const times: number[] = []
    for (let repeat = 0; repeat < repeats; repeat++) times.push((await session.run(signal)).totalMs)
    return { openMs, ms: Math.min(...times) / (iterations + 1) }
  } finally {
    await session.close()
  }
}
