import { afterEach, expect, it, vi } from 'vitest'
import { sessionConfig } from '@tests/parity/session-config'
import type { Points, Session } from '../engine'
import type { NativeMemberSums } from '../native'
import { webgpuEngine } from '../webgpu'

/** Stands in for the addon's summer: sums when told to, and hears of a cancel. */
class Summer {
  static answer: NativeMemberSums = { sums: new Float64Array(), counts: new Uint32Array() }
  static holds = false
  static calls: { labels: number[]; first: number; k: number }[] = []
  #release: (answer: null) => void = () => undefined

  sum(labels: Int32Array, first: number, k: number): Promise<NativeMemberSums | null> {
    Summer.calls.push({ labels: [...labels], first, k })
    return Summer.holds ? new Promise((resolve) => (this.#release = resolve)) : Promise.resolve(Summer.answer)
  }

  cancel(): void {
    this.#release(null)
  }

  close(): void {
    this.cancel()
  }
}

const native = vi.hoisted(() => ({ there: true }))
vi.mock('../native', () => ({
  loadCpuAddon: () =>
    native.there
      ? { addon: { MemberSums: Summer }, reason: null }
      : { addon: null, reason: 'The CPU engine is not installed.' },
}))

const points: Points = {
  x: Float32Array.of(-0.5, -0.5, 0.75, 0.5),
  n: 4,
  d: 1,
  maxAbs: Float32Array.of(0.75),
}
const config = sessionConfig('hybrid', { k: 2, timing: 'phases' })
const never = new AbortController().signal
const one = { iterations: 1, milliseconds: 60_000 }
let session: Session | undefined

afterEach(async () => {
  await session?.close()
  session = undefined
  Object.assign(native, { there: true })
  Object.assign(Summer, { holds: false, calls: [] })
})

it('takes the labels to the processor and its means back', async () => {
  Summer.answer = { sums: Float64Array.of(-1, 1.25), counts: Uint32Array.of(2, 2) }
  session = await webgpuEngine.open(points, config, null)
  expect(session.hostDeviceBytesPerIteration).toBe(4 * 4 + 4 * 2)
  await session.start(Float32Array.of(-0.25, 0.5))
  const [stats] = await session.advance(one, never)
  expect(Summer.calls).toEqual([{ labels: [1, 1, 2, 2], first: 1, k: 2 }])
  expect(stats.centroids).toEqual(Float32Array.of(-0.5, 0.625))
  expect(stats.inertia).toBeCloseTo(2 * 0.0625 + 0.0625, 12)
  expect(stats.assignMs).toBeGreaterThan(0)
  expect(stats.updateMs).toBeGreaterThanOrEqual(0)
})

it('stops the processor on a cancel, and sums the same labels again when the run goes on', async () => {
  Summer.answer = { sums: Float64Array.of(-1, 1.25), counts: Uint32Array.of(2, 2) }
  Summer.holds = true
  session = await webgpuEngine.open(points, config, null)
  await session.start(Float32Array.of(-0.25, 0.5))
  const stopper = new AbortController()
  const advancing = session.advance(one, stopper.signal)
  await vi.waitUntil(() => Summer.calls.length > 0)
  stopper.abort()
  expect(await advancing).toEqual([])
  Summer.holds = false
  const [stats] = await session.advance(one, never)
  expect(stats.iteration).toBe(1)
  expect(stats.centroids).toEqual(Float32Array.of(-0.5, 0.625))
  expect(Summer.calls).toHaveLength(2)
  expect(Summer.calls[1]).toEqual(Summer.calls[0])
})

it('is not offered without the addon, and opening it says why', async () => {
  native.there = false
  const offered = webgpuEngine.variants().map(({ id }) => id)
  expect(offered).toContain('global-atomics')
  expect(offered.filter((id) => id.startsWith('hybrid'))).toEqual([])
  await expect(webgpuEngine.open(points, config, null)).rejects.toMatchObject({
    kind: 'engine-missing',
    message:
      "The WebGPU variant 'hybrid' needs the processor's half of its work: The CPU engine is not installed.",
  })
})
