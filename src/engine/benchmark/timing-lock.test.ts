import { setTimeout as delay } from 'node:timers/promises'
import type { TimingLockState } from '@shared/benchmark/requests'
import { describe, expect, it } from 'vitest'
import { TimingLock } from './timing-lock'

const never = new AbortController().signal

/** What happened in which order; each piece of work takes a moment. */
function scene() {
  const states: TimingLockState[] = []
  const timingLock = new TimingLock((state) => states.push(state))
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await delay(20)
    order.push(`${name} ends`)
  }
  return { timingLock, states, order, work }
}

describe('timed runs and other work of a process', () => {
  it('are never done beside each other, whichever comes first', async () => {
    const { timingLock, states, order, work } = scene()
    const first = timingLock.exclusive(work('run 1'), never)
    const load = timingLock.shared(work('load'))
    const exported = timingLock.shared(work('export'))
    await first
    await Promise.all([timingLock.exclusive(work('run 2'), never), load, exported])
    expect(order).toEqual([
      ...['run 1 begins', 'run 1 ends'],
      ...['load begins', 'export begins', 'load ends', 'export ends'],
      ...['run 2 begins', 'run 2 ends'],
    ])
    expect(states).toContainEqual({ waiting: 2, resting: false })
    expect(states).toContainEqual({ waiting: 0, resting: true })
    expect(states.at(-1)).toEqual({ waiting: 0, resting: false })
  })

  it('let what asks again at once go on before the next run', async () => {
    const { timingLock, order, work } = scene()
    const files = timingLock.shared(work('file 1')).then(() => timingLock.shared(work('file 2')))
    await Promise.all([timingLock.exclusive(work('run'), never), files])
    expect(order.indexOf('run begins')).toBe(4)
  })

  it('can both be given up while they wait', async () => {
    const { timingLock, order, work } = scene()
    const [load, comparison] = [new AbortController(), new AbortController()]
    const run = timingLock.exclusive(work('run'), never)
    const loading = timingLock.shared(work('load'), load.signal)
    load.abort()
    await expect(loading).rejects.toMatchObject({ kind: 'cancelled' })
    await run
    void timingLock.shared(work('export'))
    const next = timingLock.exclusive(work('run 2'), comparison.signal)
    comparison.abort()
    await expect(next).rejects.toMatchObject({ kind: 'cancelled' })
    expect(order).toEqual(['run begins', 'run ends', 'export begins'])
  })

  it('go on after a run that broke', async () => {
    const { timingLock, order, work } = scene()
    const broken = timingLock.exclusive(() => Promise.reject(new Error('broken')), never)
    const load = timingLock.shared(work('load'))
    await expect(broken).rejects.toThrow('broken')
    await load
    expect(order).toHaveLength(2)
  })
})
