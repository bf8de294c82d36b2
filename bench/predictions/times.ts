import { trialIterationMs, trialPoints, meanOfFirst } from '@engine/auto/trial'
import { cpuEngine } from '@engine/engines/cpu'
import { plainSession } from '@engine/engines/session-config'
import { planRun } from '@engine/plan/plan-run'
import { defaultRunConfig } from '@shared/run-config'
import type { RunShape, VariantId } from '@shared/variant'
import { makeBlobs } from '../blobs'

const never = new AbortController().signal

/** Of the processor: what others do at the same time does not count. */
const processor = {
  now: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  threads: 1,
}

/** Milliseconds of processor an iteration, foretold and measured, by one thread on twenty blobs. */
export async function timesOf(variant: VariantId, shape: RunShape) {
  const [device] = await cpuEngine.devices()
  if (device === undefined) throw new Error('the CPU engine is not built')
  const run = { engine: cpuEngine, device, variant }
  const asked = plainSession(variant, { k: shape.k, iterations: defaultRunConfig.maxIterations, threads: 1 })
  const planned = await planRun(run, shape, asked, null)
  if (planned === null) throw new Error('the CPU engine makes no plan')
  const predicted = await trialIterationMs(run, planned.plan, shape, trialPoints(shape), never, processor)
  const { points, centroids } = makeBlobs(shape)
  const session = await cpuEngine.open(points, { ...asked, stop: 'relative-shift' }, device.id)
  try {
    return { predicted, measured: await meanOfFirst(session, centroids, processor.now, never) }
  } finally {
    await session.close()
  }
}
