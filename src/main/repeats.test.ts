import { describe, expect, it } from 'vitest'
import { Repeats } from './repeats'

describe('something that repeats', () => {
  it('is too often with the third time in a minute', () => {
    const crashes = new Repeats(3, 60_000)
    expect([0, 30_000, 60_000].map((now) => crashes.again(now))).toEqual([false, false, true])
  })

  it('is not too often when it is seldom', () => {
    const crashes = new Repeats(3, 60_000)
    expect([0, 40_000, 80_000, 120_000].map((now) => crashes.again(now))).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
