import { describe, expect, it, vi } from 'vitest'
import { SystemSleep } from './system-sleep'

const never = new AbortController().signal

/** Clocks that stand where a test puts them. */
function clocks() {
  const at = { day: 1e12, measured: 5000 }
  return { at, sleep: new SystemSleep(() => ({ ...at })) }
}

describe('a sleep that nobody tells of', () => {
  it('is seen by the clock of the day, which ran on', () => {
    const { at, sleep } = clocks()
    const night = sleep.watch()
    at.day += 60_000
    at.measured += 59_500
    expect(night.slept()).toBe(false)
    at.day += 3600_000
    expect(night.slept()).toBe(true)
    expect(sleep.watch().slept()).toBe(false)
  })

  it('is not what clocks part by in a long run', () => {
    const { at, sleep } = clocks()
    const night = sleep.watch()
    at.day += 10 * 3600_000 + 5000
    at.measured += 10 * 3600_000
    expect(night.slept()).toBe(false)
  })
})

describe('a sleep that is reported', () => {
  it('is waited for, and is known to all who worked through it', async () => {
    const { sleep } = clocks()
    const night = sleep.watch()
    sleep.begin()
    let isOver = false
    const waiting = sleep.over(never).then(() => (isOver = true))
    await Promise.resolve()
    expect(isOver).toBe(false)
    sleep.end()
    await waiting
    expect(night.slept()).toBe(true)
    expect(sleep.watch().slept()).toBe(false)
  })

  it('can be cancelled', async () => {
    const { sleep } = clocks()
    sleep.begin()
    await expect(sleep.over(AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' })
    sleep.end()
  })

  it('ends by itself where its end is not reported: after a leap of the clock, or a minute of work', async () => {
    for (const [day, measured] of [
      [3600_000, 500],
      [61_000, 61_000],
    ]) {
      vi.useFakeTimers()
      const { at, sleep } = clocks()
      sleep.begin()
      await vi.advanceTimersByTimeAsync(2000)
      expect(sleep.isAsleep).toBe(true)
      at.day += day
      at.measured += measured
      await vi.advanceTimersByTimeAsync(1000)
      expect(sleep.isAsleep).toBe(false)
      vi.useRealTimers()
    }
  })
})
