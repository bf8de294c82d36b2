import { parseFilter } from '@shared/row-filter/parse-filter'
import { flushPromises } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { asked, iterationRow, record } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
import { isStale, useRunStore } from './run'

function started(answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab } = freshWindow({ 'run.start': () => ({ runId: 'run-1' }), ...answers })
  const run = useRunStore()
  run.subscribe()
  return { lab, run }
}

const iterations = (iteration: number) =>
  ({
    kind: 'iterations',
    runId: 'run-1',
    restart: 0,
    engine: 'cpu',
    device: 'cpu',
    variant: 'fused',
    rows: [iterationRow(iteration, 10 / iteration)],
    centroids: Float64Array.of(1, 2),
    elapsedMs: 1,
    threshold: 0,
  }) as const

describe('a run', () => {
  it('gathers its iterations and ends with a result', async () => {
    const { lab, run } = started()
    await run.start('data-1', asked())
    lab.emit('run.event', iterations(1))
    lab.emit('run.event', iterations(2))
    expect(run.live?.rows).toHaveLength(2)
    lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record() })
    expect(run.state).toBe('done')
    expect(run.result?.record.inertia).toBe(record().inertia)
  })

  it('takes events that overtake the answer naming it, and none of another run', async () => {
    const { lab, run } = started({
      'run.start': () => {
        lab.emit('run.event', iterations(1))
        lab.emit('run.event', { kind: 'cancelled', runId: 'run-0' })
        return { runId: 'run-1' }
      },
    })
    await run.start('data-1', asked())
    expect(run.state).toBe('running')
    expect(run.live?.rows).toHaveLength(1)
  })

  it('keeps the last result when cancelled', async () => {
    const { lab, run } = started()
    await run.start('data-1', asked())
    lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record() })
    await run.start('data-1', asked({ k: 4 }))
    await run.cancel()
    lab.emit('run.event', { kind: 'cancelled', runId: 'run-1' })
    expect(channelsOf(lab)).toContain('run.cancel')
    expect(run.state).toBe('cancelled')
    expect(run.result).not.toBeNull()
    expect(run.error).toBeNull()
  })

  it('is cancelled as soon as it has a name', async () => {
    const { lab, run } = started()
    const starting = run.start('data-1', asked())
    void run.cancel()
    expect(channelsOf(lab)).not.toContain('run.cancel')
    await starting
    await flushPromises()
    expect(channelsOf(lab)).toContain('run.cancel')
  })

  it('fails with the sentence of a lost engine and keeps the result', async () => {
    const { lab, run } = started()
    await run.start('data-1', asked())
    lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record() })
    await run.start('data-1', asked())
    run.engineLost('The engine process stopped; run again.')
    expect(run.state).toBe('failed')
    expect(run.error?.message).toBe('The engine process stopped; run again.')
    expect(run.result).not.toBeNull()
  })

  it('is let go when another dataset takes the screen, even if it finishes first', async () => {
    const { lab, run } = started()
    await run.start('data-1', asked())
    run.adopt('data-2')
    lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record() })
    expect(run.state).toBe('idle')
    expect(run.result).toBeNull()
    expect(channelsOf(lab)).toEqual(['run.start', 'run.cancel', 'run.forget'])
  })

  it('stays in the list of the session without its history when another dataset takes the screen', async () => {
    const { lab, run } = started()
    run.adopt('data-1')
    await run.start('data-1', asked())
    lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record({ id: 'run-1' }) })
    run.adopt('data-2')
    expect(run.results.map(({ record: { id, history } }) => [id, history.length])).toEqual([['run-1', 0]])
    void run.show('run-1')
    expect(run.result).toBeNull()
  })

  it('keeps no more rows than plots can show, the newest whole', async () => {
    const { lab, run } = started()
    await run.start('data-1', asked())
    const rest = {
      engine: 'cpu',
      device: 'cpu',
      variant: 'fused',
      centroids: null,
      elapsedMs: 1,
      threshold: 0,
    } as const
    for (let batch = 0; batch < 100; batch++) {
      const rows = Array.from({ length: 250 }, (_, i) => iterationRow(batch * 250 + i + 1, 1))
      lab.emit('run.event', { kind: 'iterations', runId: 'run-1', restart: 0, rows, ...rest })
    }
    const iterations = run.live?.rows.map(({ iteration }) => iteration) ?? []
    expect(iterations.length).toBeLessThanOrEqual(4096)
    expect(iterations[0]).toBe(1)
    expect(iterations.slice(-250)).toEqual(Array.from({ length: 250 }, (_, i) => 24_751 + i))
    expect(iterations).toEqual([...iterations].sort((a, b) => a - b))
  })

  it('shows why it could not start', async () => {
    const { run } = started({
      'run.start': () => {
        throw new Error('no such device')
      },
    })
    await run.start('data-1', asked())
    expect(run.state).toBe('failed')
    expect(run.error?.message).toContain('no such device')
  })
})

describe('a stale result', () => {
  const result = { record: record(), datasetId: 'data-1', asked: asked({ k: 3 }) }

  it('is one whose settings changed, and no longer when they are changed back', () => {
    expect(isStale(result, asked({ k: 4 }))).toBe(true)
    expect(isStale(result, asked({ k: 3 }))).toBe(false)
    expect(isStale(null, asked())).toBe(false)
  })

  it('is not one whose settings came back from the engine in another order', () => {
    const filter = parseFilter('a > 1')
    const config = { ...asked(), oneHot: ['b'], filter }
    const back = Object.fromEntries(Object.entries(config).toReversed()) as unknown as typeof config
    expect(isStale({ ...result, asked: back }, config)).toBe(false)
    expect(isStale({ ...result, asked: back }, { ...config, filter: parseFilter('a > 2') })).toBe(true)
    expect(isStale({ ...result, asked: back }, { ...config, oneHot: ['c'] })).toBe(true)
  })
})
