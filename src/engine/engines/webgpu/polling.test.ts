import { describe, expect, it } from 'vitest'
import { blobs } from '../cpu/testing/points'
import type { SessionConfig } from '../engine'
import { webgpuEngine } from '../webgpu'
import { calmed, expectAnswer } from './polling'

/** Runs what is scheduled at once. */
const atOnce = (callback: (...args: unknown[]) => void, ...args: unknown[]) => callback(...args)

function pass(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Milliseconds that asking takes after a wait; the least of some, as others use the machine too. */
function costOfAsking(waitedMs: number, ask: () => void): number {
  const costs = Array.from({ length: 5 }, () => {
    expectAnswer()
    pass(waitedMs)
    const began = performance.now()
    calmed(atOnce)(ask)
    return performance.now() - began
  })
  return Math.min(...costs)
}

describe('asking Dawn for finished work', () => {
  it('is done at once after work was given out, and ever more seldom the longer that was ago', () => {
    let asked = 0
    // As a function of an addon is: its text is none, nor has it a name.
    const ask = Object.defineProperty((() => asked++).bind(null), 'name', { value: '' })
    expect(costOfAsking(0, ask)).toBeLessThan(0.05)
    expect(costOfAsking(4, ask)).toBeGreaterThan(0.07)
    expect(costOfAsking(100, ask)).toBeGreaterThan(0.2)
    expect(costOfAsking(100, ask)).toBeLessThan(2)
    expect(asked).toBe(20)
  })

  it('holds nobody else up', () => {
    const seen: unknown[] = []
    const ask = () => calmed(atOnce)((...args) => seen.push(...args), 1, 'two')
    const own = () => ask()
    expect(costOfAsking(100, own)).toBeLessThan(0.5)
    expect(seen.slice(0, 2)).toEqual([1, 'two'])
  })

  it('knows bound functions and resolvers of promises for what they are', async () => {
    const schedule = calmed(atOnce)
    const sum = (a: number, b: number) => a + b
    const seen: number[] = []
    const bound = ((...args: [number, number]) => seen.push(sum(...args))).bind(null)
    expect(costOfAsking(100, () => schedule(bound as (...args: unknown[]) => void, 1, 2))).toBeLessThan(0.15)
    expect(seen).toEqual([3, 3, 3, 3, 3])
    expect(await new Promise((resolve) => schedule(resolve, 7))).toBe(7)
  })

  it('leaves the processor to the software device while that works', async () => {
    const quiet = { trackChanged: false, trackInertia: false, trackCentroids: false }
    const config: SessionConfig = {
      ...{ ...quiet, variant: 'global-atomics', k: 20 },
      ...{ stop: 'none', threshold: 0, empty: 'keep', timing: 'total' },
    }
    const points = blobs(60_000, 2, 1)
    const session = await webgpuEngine.open(points, config, null)
    await session.start(new Float32Array(40).map((_, at) => at / 40))
    const real = globalThis.setImmediate
    const asked: number[] = []
    globalThis.setImmediate = ((...args: Parameters<typeof real>) => {
      asked.push(performance.now())
      return real(...args)
    }) as typeof real
    const began = performance.now()
    try {
      await session.advance({ iterations: 8, milliseconds: 1e9 }, new AbortController().signal)
    } finally {
      globalThis.setImmediate = real
    }
    const ms = performance.now() - began
    expect(ms).toBeGreaterThan(50)
    // A thread that asks at every turn of its event loop does so each hundredth of a millisecond.
    const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? at))
    const pausedMs = pauses.filter((pause) => pause > 0.05).reduce((sum, pause) => sum + pause, 0)
    expect(pausedMs / ms).toBeGreaterThan(0.7)
    await session.close()
  })
})
