import { setTimeout as delay } from 'node:timers/promises'
import type { QuietState } from '@shared/benchmark/requests'
import { describe, expect, it } from 'vitest'
import { Quiet } from './quiet'

const never = new AbortController().signal

/** What happened in which order; each piece of work takes a moment. */
function scene() {
  const told: QuietState[] = []
  const quiet = new Quiet((state) => told.push(state))
  const order: string[] = []
  const work = (name: string) => async () => {
    order.push(`${name} begins`)
    await delay(20)
    order.push(`${name} ends`)
  }
  return { quiet, told, order, work }
}

describe('timed runs and other work of a process', () => {
  it('are never done beside each other, whichever comes first', async () => {
    const { quiet, told, order, work } = scene()
    const first = quiet.alone(work('run 1'), never)
    const load = quiet.beside(work('load'))
    const exported = quiet.beside(work('export'))
    await first
    await Promise.all([quiet.alone(work('run 2'), never), load, exported])
    expect(order).toEqual([
      ...['run 1 begins', 'run 1 ends'],
      ...['load begins', 'export begins', 'load ends', 'export ends'],
      ...['run 2 begins', 'run 2 ends'],
    ])
    expect(told).toContainEqual({ waiting: 2, resting: false })
    expect(told).toContainEqual({ waiting: 0, resting: true })
    expect(told.at(-1)).toEqual({ waiting: 0, resting: false })
  })

  it('let what asks again at once go on before the next run', async () => {
    const { quiet, order, work } = scene()
    const files = quiet.beside(work('file 1')).then(() => quiet.beside(work('file 2')))
    await Promise.all([quiet.alone(work('run'), never), files])
    expect(order.indexOf('run begins')).toBe(4)
  })

  it('can both be given up while they wait', async () => {
    const { quiet, order, work } = scene()
    const [load, comparison] = [new AbortController(), new AbortController()]
    const run = quiet.alone(work('run'), never)
    const loading = quiet.beside(work('load'), load.signal)
    load.abort()
    await expect(loading).rejects.toMatchObject({ kind: 'cancelled' })
    await run
    void quiet.beside(work('export'))
    const next = quiet.alone(work('run 2'), comparison.signal)
    comparison.abort()
    await expect(next).rejects.toMatchObject({ kind: 'cancelled' })
    expect(order).toEqual(['run begins', 'run ends', 'export begins'])
  })

  it('go on after a run that broke', async () => {
    const { quiet, order, work } = scene()
    const broken = quiet.alone(() => Promise.reject(new Error('broken')), never)
    const load = quiet.beside(work('load'))
    await expect(broken).rejects.toThrow('broken')
    await load
    expect(order).toHaveLength(2)
  })
})
