import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { debounced } from './debounced'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('is done once, after the last wish, or at once when it must be', () => {
  const act = vi.fn()
  const { ask, cancel, flush } = debounced(act, 100)
  ask()
  vi.advanceTimersByTime(99)
  ask()
  vi.advanceTimersByTime(99)
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledTimes(1)
  ask()
  flush()
  flush()
  expect(act).toHaveBeenCalledTimes(2)
  ask()
  cancel()
  vi.runAllTimers()
  expect(act).toHaveBeenCalledTimes(2)
})
