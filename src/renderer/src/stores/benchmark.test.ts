import type { BenchmarkDocument } from '@shared/benchmark/document'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, it } from 'vitest'
import { documentAnswers } from '../../test/document-answers'
import { channelsOf, freshWindow } from '../../test/mount'
import { useBenchmarkStore } from './benchmark'

const whole = comparisonDocument()
let onDisk: BenchmarkDocument
beforeEach(() => {
  onDisk = { ...whole, rows: [], state: 'running', finishedAt: null }
})

function fresh(answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab } = freshWindow({
    'app.bench-start': () => ({ benchId: whole.id }),
    ...documentAnswers(() => onDisk),
    'bench.list': () => ({ comparisons: [], damaged: [] }),
    'bench.pause': () => null,
    'bench.resume': () => null,
    ...answers,
  })
  const benchmark = useBenchmarkStore()
  benchmark.subscribe()
  return { lab, benchmark }
}
const row = (at: number) => ({ kind: 'row', benchId: whole.id, row: whole.rows[at]! }) as const

describe('a comparison', () => {
  it('gathers rows in the order of the plan, those too that overtake the answer naming it', async () => {
    const { lab, benchmark } = fresh({
      'app.bench-start': () => {
        lab.emit('bench.event', row(2))
        return { benchId: whole.id }
      },
    })
    await benchmark.start(whole.suite)
    lab.emit('bench.event', row(0))
    lab.emit('bench.event', { ...row(1), benchId: 'another' })
    expect(benchmark.document?.rows.map(({ contender }) => contender)).toEqual([
      whole.rows[0]!.contender,
      whole.rows[2]!.contender,
    ])
    expect(benchmark.page).toBe('comparison')
    expect(benchmark.baseline).toBe(whole.suite.baseline)
  })

  it('keeps its rows to itself while another of the same cells is shown', async () => {
    const other: BenchmarkDocument = { ...whole, id: 'kept', rows: [whole.rows[1]!], state: 'cancelled' }
    const { lab, benchmark } = fresh({
      ...documentAnswers((benchId) => (benchId === other.id ? other : onDisk)),
    })
    await benchmark.start(whole.suite)
    await benchmark.open(other.id)
    lab.emit('bench.event', row(0))
    await benchmark.open(other.id)
    expect(benchmark.document?.rows).toEqual(other.rows)
    await benchmark.open(whole.id)
    expect(benchmark.document?.rows).toEqual([whole.rows[0]])
  })

  it('is paused after the run under way, and goes on with what is missing', async () => {
    const { lab, benchmark } = fresh()
    await benchmark.start(whole.suite)
    lab.emit('bench.event', row(0))
    await benchmark.pause()
    expect(benchmark.pending).toBe('pausing')
    onDisk = { ...onDisk, rows: [whole.rows[0]!], state: 'paused' }
    lab.emit('bench.event', { kind: 'paused', benchId: whole.id })
    await flushPromises()
    expect(benchmark.document?.state).toBe('paused')
    expect(benchmark.busy).toBe(false)
    await benchmark.resume()
    expect(channelsOf(lab)).toContain('bench.resume')
    lab.emit('bench.event', row(1))
    expect(benchmark.document?.rows).toHaveLength(2)
  })

  it('is cancelled while it is paused, and keeps its rows', async () => {
    const { lab, benchmark } = fresh({
      'bench.cancel': () => {
        onDisk = { ...onDisk, state: 'cancelled' }
        return null
      },
    })
    onDisk = { ...onDisk, rows: [whole.rows[0]!], state: 'paused' }
    await benchmark.open(whole.id)
    await benchmark.cancelPaused()
    expect(lab.asked).toContainEqual({ channel: 'bench.cancel', params: { benchId: whole.id } })
    expect(benchmark.document).toMatchObject({ state: 'cancelled', rows: [whole.rows[0]] })
    expect(benchmark.pending).toBeNull()
  })

  it('keeps its rows when the engine process dies, says so, and can be resumed', async () => {
    const { lab, benchmark } = fresh({
      'bench.list': () => {
        throw new Error('no host')
      },
    })
    await benchmark.start(whole.suite)
    lab.emit('bench.event', row(0))
    benchmark.engineLost('The engine process ended unexpectedly.')
    await flushPromises()
    expect(benchmark.document).toMatchObject({ state: 'interrupted', rows: [whole.rows[0]] })
    expect(benchmark.error?.message).toContain('finished rows were kept, and Resume goes on')
    await benchmark.resume()
    expect(benchmark.shownRuns).toBe(true)
    expect(benchmark.error).toBeNull()
  })

  it('gets its plan when it was shown before there was one', async () => {
    const { lab, benchmark } = fresh()
    const { plan } = onDisk
    onDisk = { ...onDisk, plan: [] }
    await benchmark.start(whole.suite)
    onDisk = { ...onDisk, plan }
    lab.emit('bench.event', row(1))
    lab.emit('bench.event', row(0))
    await flushPromises()
    expect(benchmark.document?.plan).toHaveLength(whole.plan.length)
    expect(benchmark.document?.rows).toEqual(whole.rows.slice(0, 2))
  })

  it('stays as it was when it cannot be resumed', async () => {
    const { benchmark } = fresh({
      'bench.resume': () => {
        throw new Error('gone')
      },
    })
    onDisk = { ...whole, state: 'cancelled' }
    await benchmark.open(whole.id)
    await benchmark.resume()
    expect(benchmark.document?.state).toBe('cancelled')
    expect(benchmark.busy).toBe(false)
    expect(benchmark.error).not.toBeNull()
  })
})
