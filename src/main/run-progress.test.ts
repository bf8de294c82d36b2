import { beforeEach, expect, it } from 'vitest'
import type { RunEvent } from '@shared/ipc'
import type { IterationRow } from '@shared/run-record'
import { endlessBar, noBar, RunProgress } from './run-progress'

let bars: number[]
let progress: RunProgress
const runId = 'r1'

beforeEach(() => {
  bars = []
  progress = new RunProgress((bar) => bars.push(bar))
})

function iterations(run: number, iteration: number): RunEvent {
  const row = { run, iteration } as IterationRow
  const where = { engine: 'cpu', device: 'a', variant: 'fused', restart: run } as const
  return { kind: 'iterations', runId, rows: [row], centroids: null, elapsedMs: 1, threshold: 0, ...where }
}

it('has no end while it prepares, then a share, then no bar', () => {
  progress.expect(runId, { maxIterations: 20, nInit: 1 })
  progress.take({ kind: 'phase', runId, phase: 'preparing', restart: 0 })
  progress.take({ kind: 'phase', runId, phase: 'iterating', restart: 0 })
  progress.take(iterations(0, 5))
  progress.take(iterations(0, 10))
  progress.take({ kind: 'cancelled', runId })
  expect(bars).toEqual([endlessBar, 0.25, 0.5, noBar])
})

it('never runs backwards over the restarts of a run', () => {
  progress.expect(runId, { maxIterations: 10, nInit: 2 })
  progress.take(iterations(0, 10))
  progress.take({ kind: 'phase', runId, phase: 'seeding', restart: 1 })
  progress.take(iterations(1, 5))
  expect(bars).toEqual([0.5, 0.75])
})

it('has no end for a run it knows nothing of', () => {
  progress.take(iterations(0, 3))
  expect(bars).toEqual([endlessBar])
})

it('is gone with the engine', () => {
  progress.take({ kind: 'phase', runId, phase: 'preparing', restart: 0 })
  progress.stop()
  expect(bars.at(-1)).toBe(noBar)
})
