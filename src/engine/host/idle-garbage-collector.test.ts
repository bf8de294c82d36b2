import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { IdleGarbageCollector } from './idle-garbage-collector'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('gives memory back once nothing is asked for any more, and not while something works', () => {
  let busy = false
  let times = 0
  const collector = new IdleGarbageCollector(
    () => busy,
    () => void times++,
  )
  collector.later()
  vi.advanceTimersByTime(5000)
  expect(times).toBe(0)
  collector.soon()
  vi.advanceTimersByTime(900)
  collector.later()
  vi.advanceTimersByTime(900)
  expect(times).toBe(0)
  busy = true
  vi.advanceTimersByTime(10_000)
  expect(times).toBe(0)
  busy = false
  vi.advanceTimersByTime(1000)
  expect(times).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(times).toBe(1)
})

it("is V8's own collection: what is dropped is free", () => {
  const before = process.memoryUsage().arrayBuffers
  let large: Float64Array | null = new Float64Array(2 ** 22)
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(2 ** 24)
  large = null
  new IdleGarbageCollector(() => false).soon()
  vi.advanceTimersByTime(1000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 24)
  expect(large).toBeNull()
})
