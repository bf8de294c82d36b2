import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { PlannedCell } from '@shared/benchmark/document'
import { cancelled } from '@shared/errors'
import type { ContenderRunner } from './contender-runner'
import { LimitedRunner } from './limited-runner'

const never = new AbortController().signal

/** Works for so long, unless it is told to stop; answers nothing that anybody looks at. */
function runnerOf(ms: number, predictedMs: number | null): ContenderRunner {
  const work = async (signal: AbortSignal): Promise<never> => {
    await delay(ms, undefined, { signal }).catch(() => Promise.reject(cancelled()))
    return undefined as never
  }
  const cell: PlannedCell = {
    ...{ dataset: 'a', k: 5, contender: 'cpu/a', n: 10, d: 2, engine: 'cpu', device: 'cpu', variant: 'a' },
    ...{ deviceName: 'CPU', predictedMs, memoryBytes: 0, skipped: null },
  }
  return {
    ...{ cell, deterministic: true, precision: 'float32', labelUnit: 0, hasPhases: false },
    run: (_timing, signal) => work(signal),
    step: (_centroids, signal) => work(signal),
    close: async () => undefined,
  }
}

describe('a runner with a limit', () => {
  it('ends a run at twice the limit, where one was foretold to be short', async () => {
    const began = performance.now()
    const limited = new LimitedRunner(runnerOf(60_000, 10), 50, 0)
    await expect(limited.run('total', never)).rejects.toMatchObject({
      code: 'bench.cell-limit',
      message: 'Ended after 0.1 s: far longer than predicted; the limit of a cell is 0.05 s.',
    })
    expect(performance.now() - began).toBeGreaterThan(90)
  })

  it('ends it at the limit where nothing was foretold, and begins nothing after that', async () => {
    const limited = new LimitedRunner(runnerOf(60_000, null), 50)
    const ended = /^Ended after 0\.05 s: its time could not be predicted; /
    await expect(limited.step(new Float32Array(2), never)).rejects.toThrow(ended)
    await expect(limited.run('total', never)).rejects.toThrow(ended)
  })

  it('lets a short cell take ten seconds, whatever else the machine does', async () => {
    await new LimitedRunner(runnerOf(100, 10), 10).run('total', never)
  })

  it('counts all its runs together', async () => {
    const limited = new LimitedRunner(runnerOf(60, 10), 50, 0)
    await limited.run('total', never)
    await expect(limited.run('total', never)).rejects.toThrow(/^Ended after 0\.1 s/)
  })

  it('is cancelled as any other', async () => {
    const controller = new AbortController()
    const limited = new LimitedRunner(runnerOf(60_000, null), 60_000)
    const running = limited.run('total', controller.signal)
    controller.abort()
    await expect(running).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
