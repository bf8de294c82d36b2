import { describe, expect, it } from 'vitest'
import { SignalsByRun } from './signals-by-run'

describe('work that belongs to runs', () => {
  it('ends with any of its runs, and leaves that of others alone', async () => {
    const underWay = new SignalsByRun()
    let finish: () => void = () => undefined
    const until = new Promise<void>((done) => (finish = done))
    const work = (signal: AbortSignal) => until.then(() => signal.aborted)
    const both = underWay.during(['a', 'b'], work)
    const other = underWay.during(['c'], work)
    underWay.abort('b')
    finish()
    expect([await both, await other]).toEqual([true, false])
  })

  it('is not stopped by an abort before it began', async () => {
    const underWay = new SignalsByRun()
    await underWay.during(['a'], async () => undefined)
    underWay.abort('a')
    expect(await underWay.during(['a'], (signal) => Promise.resolve(signal.aborted))).toBe(false)
  })
})
