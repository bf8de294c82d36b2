import { generatePoints } from './synthetic'
import type { ResolvedRun } from '../run/run'
import type { Session, SessionConfig } from '../engines/engine'
import { throwIfAborted } from '../slices'
import { costOfOne, fitCost, type Cost, type Sample, type Shape } from './cost-model'

const tiny: Shape = { n: 256, d: 2, k: 4 }
const few: Shape = { n: 4096, d: 4, k: 4 }
const many: Shape = { n: 1024, d: 8, k: 64 }
/** Problems grow by this factor until an iteration is long enough to tell rates from overhead. */
const growth = 8
const longEnoughMs = 2
const mostCoordinates = 2 ** 22
const repeats = 3

/**
 * Measures one contender on small synthetic problems.
 * @param budgetMs about the time it may take; the last problem begun is finished.
 * @param isPatient compilation does not count: for a plan, which an overhead taken for a rate would mislead.
 */
export async function calibrate(
  run: ResolvedRun,
  budgetMs: number,
  signal: AbortSignal,
  isPatient = false,
): Promise<Cost> {
  const began = performance.now()
  const cold = await measure(run, tiny, signal)
  const deadline = (isPatient ? performance.now() : began) + budgetMs
  // Compilation took it all (a software adapter): the rate of the tiny problem must do.
  if (performance.now() > deadline) return costOfOne(cold)
  const warm = await measure(run, tiny, signal)
  const openMs = Math.min(cold.openMs, warm.openMs)
  const fewSample = await grow(run, few, deadline - budgetMs / 2, signal)
  const manySample = await grow(run, many, deadline, signal)
  return fitCost(openMs, warm, fewSample, manySample)
}

/** Larger and larger problems until one takes long enough, or the time is used up. */
async function grow(run: ResolvedRun, from: Shape, deadline: number, signal: AbortSignal): Promise<Sample> {
  let shape = from
  let sample = await measure(run, shape, signal)
  while (sample.ms < longEnoughMs && performance.now() < deadline && shape.n * shape.d < mostCoordinates) {
    shape = { ...shape, n: shape.n * growth }
    sample = await measure(run, shape, signal)
  }
  return sample
}

async function measure(run: ResolvedRun, shape: Shape, signal: AbortSignal) {
  throwIfAborted(signal)
  const points = generatePoints(shape)
  const began = performance.now()
  const session = await run.engine.open(points, sessionConfig(run.variant, shape.k), run.device.id)
  const openMs = performance.now() - began
  try {
    await session.start(points.x.slice(0, shape.k * shape.d))
    await session.advance({ iterations: 1, milliseconds: 100 }, signal)
    return { ...shape, openMs, ms: await fastest(session, signal) }
  } finally {
    await session.close()
  }
}

/** Time of one iteration: the best of a few short stretches, since other work only ever adds to it. */
async function fastest(session: Session, signal: AbortSignal): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < repeats; repeat++) {
    throwIfAborted(signal)
    const began = performance.now()
    const done = await session.advance({ iterations: 16, milliseconds: 8 }, signal)
    throwIfAborted(signal)
    best = Math.min(best, (performance.now() - began) / done.length)
  }
  return best
}

function sessionConfig(variant: string, k: number): SessionConfig {
  return {
    variant,
    k,
    stop: 'none',
    threshold: 0,
    empty: 'keep',
    timing: 'total',
    trackChanged: false,
    trackInertia: false,
    trackCentroids: false,
  }
}
