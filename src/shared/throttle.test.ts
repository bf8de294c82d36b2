import { expect, it } from 'vitest'
import { atMostEvery, RateLimit } from './throttle'

it('the first value goes out at once, and then one in every so many milliseconds', () => {
  const clock = { ms: 0 }
  const sent: number[] = []
  const send = atMostEvery(
    100,
    (value: number) => sent.push(value),
    () => clock.ms,
  )
  for (; clock.ms < 350; clock.ms += 50) send(clock.ms)
  expect(sent).toEqual([0, 100, 200, 300])
})

it('what happens for another reason counts too', () => {
  const clock = { ms: 0 }
  const limit = new RateLimit(100, () => clock.ms)
  limit.restart()
  clock.ms = 99
  expect(limit.take()).toBe(false)
  clock.ms = 100
  expect([limit.take(), limit.take()]).toEqual([true, false])
})
