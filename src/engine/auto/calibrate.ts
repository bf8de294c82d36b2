import { generatePoints } from './synthetic'
import type { ResolvedRun } from '../run/types'
import type { Session } from '../engines/engine'
import { plainSession } from '../engines/session-config'
import { throwIfAborted } from '../slices'
import { costOfOne, fitRates, fitSessions, type Cost, type SessionSample, type Shape } from './cost-model'

const tiny: Shape = { n: 256, d: 2, k: 4 }
const few: Shape = { n: 4096, d: 4, k: 4 }
const many: Shape = { n: 1024, d: 8, k: 64 }
/** Problems grow by this factor until an iteration is long enough to tell rates from overhead. */
const growth = 8
const longEnoughMs = 2
/** An iteration as long as so many of the tiny problem: on a software adapter the overhead alone takes milliseconds. */
const overheads = 4
const maxCoordinates = 2 ** 22
const repeats = 3
/** Iterations of a measurement, about: warm-up, the repeats, the labels at its end. */
const measuredIterations = repeats + 2

/** The largest problem that was measured. */
interface Grown {
  readonly last: SessionSample
  /** What compiling took at most: the first session of a size against the next of the same. */
  readonly onceMs: number
  /** Whether it was large enough in the end. */
  readonly isEnough: boolean
}

/**
 * Measures one contender on small synthetic problems.
 * @param budgetMs about the time it may take; none is begun that would not end in it.
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
  // Compilation took it all (a software adapter): the rate of the tiny problem must do.
  if (!isPatient && performance.now() > began + budgetMs) return costOfOne(cold)
  const warm = await measure(run, tiny, signal)
  const enoughMs = Math.max(longEnoughMs, overheads * warm.ms)
  const compiled = isPatient ? performance.now() : began
  const deadline = compiled + budgetMs
  const fewGrown = await grow(run, few, enoughMs, deadline - budgetMs / 2, signal)
  const manyGrown = await grow(run, many, enoughMs, deadline, signal)
  const small = cold.aroundMs < warm.aroundMs ? cold : warm
  const isRough = !isPatient && !(fewGrown.isEnough && manyGrown.isEnough)
  return {
    onceMs: Math.max(cold.aroundMs - small.aroundMs, fewGrown.onceMs, manyGrown.onceMs),
    ...fitSessions(small, fewGrown.last),
    ...fitRates(warm, fewGrown.last, manyGrown.last),
    isRough,
  }
}

/** Larger and larger problems until one takes long enough, or the time is used up. */
async function grow(
  run: ResolvedRun,
  from: Shape,
  enoughMs: number,
  deadline: number,
  signal: AbortSignal,
): Promise<Grown> {
  let grown = await measureTwice(run, from, signal)
  while (grown.last.ms < enoughMs && grown.last.n * grown.last.d < maxCoordinates) {
    const nextMs = 2 * (grown.last.aroundMs + measuredIterations * growth * grown.last.ms)
    if (performance.now() + nextMs > deadline) return { ...grown, isEnough: false }
    const next = await measureTwice(run, { ...from, n: grown.last.n * growth }, signal)
    grown = { last: next.last, onceMs: Math.max(grown.onceMs, next.onceMs) }
  }
  return { ...grown, isEnough: true }
}

/** The first session of any size may compile: another regime runs there. That is no cost of its points. */
async function measureTwice(run: ResolvedRun, shape: Shape, signal: AbortSignal) {
  const cold = await measure(run, shape, signal)
  const last = await measure(run, shape, signal)
  return { last, onceMs: cold.aroundMs - last.aroundMs }
}

async function measure(run: ResolvedRun, shape: Shape, signal: AbortSignal): Promise<SessionSample> {
  throwIfAborted(signal)
  const points = generatePoints(shape)
  const began = performance.now()
  const session = await run.engine.open(points, plainSession(run.variant, { k: shape.k }), run.device.id)
  let ms: number
  let iterating: number
  try {
    await session.start(points.x.slice(0, shape.k * shape.d))
    await session.advance({ iterations: 1, milliseconds: 100 }, signal)
    iterating = performance.now()
    ms = await fastest(session, signal)
    iterating = performance.now() - iterating
    await session.read()
  } finally {
    await session.close()
  }
  // The first iteration, and the labels at the end.
  const aroundMs = Math.max(0, performance.now() - began - iterating - 2 * ms)
  return { ...shape, ms, aroundMs }
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
