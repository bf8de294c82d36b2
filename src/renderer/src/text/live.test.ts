import { describe, expect, it } from 'vitest'
import { defaultRunConfig } from '@shared/run-config'
import { record } from '../../test/fixtures'
import {
  drawnAfter,
  isLiveChange,
  livePrediction,
  observationOf,
  withObservation,
  type Preparing,
} from './live'
import { manyRestarts, usualRestarts } from './restarts'

const config = { ...defaultRunConfig, features: ['a', 'b'] }
const million = record({
  n: 1_000_000,
  d: 8,
  k: 3,
  config,
  timings: { ...record().timings, totalMs: 260, loadMs: 700 },
  receipt: { ...record().receipt, loadMs: 600 },
})

describe('whether a change is followed', () => {
  it('is a matter of k, features, scaling and rows', () => {
    expect(isLiveChange(config, { ...config, k: 4 })).toBe(true)
    expect(isLiveChange(config, { ...config, features: ['a'] })).toBe(true)
    expect(isLiveChange(config, { ...config, scaling: 'standardise' })).toBe(true)
    expect(isLiveChange(config, { ...config, k: 4, seed: 2 })).toBe(false)
    // The number of restarts follows from k.
    expect(isLiveChange(config, { ...config, nInit: 10 })).toBe(false)
    expect(isLiveChange(config, { ...config, k: 4, nInit: 10 })).toBe(true)
  })

  it('is tried where a run by hand was not slow, and then told by what was observed', () => {
    expect(livePrediction(million, [], { ...config, k: 3 }, 8)).toEqual({ ms: 320, isQuick: true })
    const seen = [70, 50, 60].map((ms) => ({ ms, work: 24e6, prepared: null, drawnMs: null }))
    expect(livePrediction(million, seen, { ...config, k: 4 }, 8)).toEqual({ ms: 140, isQuick: true })
    expect(livePrediction(million, seen, { ...config, k: 12 }, 8)).toEqual({ ms: 300, isQuick: false })
  })

  it('counts what a picture took', () => {
    const observation = observationOf(
      record({ ...million, timings: { ...million.timings, totalMs: 40 } }),
      'units',
    )
    expect(observation).toMatchObject({ ms: 40, prepared: { what: 'units', ms: 100 }, drawnMs: null })
    const seen = [170, 165, 200].map((whole) => drawnAfter(observation, whole))
    expect(seen.map(({ drawnMs }) => drawnMs)).toEqual([30, 25, 60])
    expect(livePrediction(million, seen, { ...config, k: 3 }, 8)).toEqual({ ms: 70, isQuick: true })
    const busy = [140, 140, 140].map((drawnMs) => ({ ms: 80, work: 24e6, prepared: null, drawnMs }))
    expect(livePrediction(million, busy, { ...config, k: 3 }, 8)).toEqual({ ms: 220, isQuick: true })
    // Quicker than what is known of its parts.
    expect(drawnAfter(observation, 100).drawnMs).toBe(0)
  })

  it('counts the points that have to be made anew', () => {
    const seen = [40, 40, 40].map((ms) => ({ ms, work: 24e6, prepared: null, drawnMs: null }))
    const standardised = { ...config, scaling: 'standardise' } as const
    // How long that takes for other units is not known yet.
    expect(livePrediction(million, seen, standardised, 8)).toEqual({ ms: 200, isQuick: true })
    const after = (ms: number, what: Preparing) => {
      const timings = { ...million.timings, loadMs: 600 + ms, totalMs: 40 }
      return withObservation(seen, observationOf(record({ ...million, timings }), what))
    }
    expect(livePrediction(million, after(45, 'units'), standardised, 8)).toEqual({ ms: 145, isQuick: true })
    expect(livePrediction(million, after(95, 'units'), standardised, 8)).toEqual({ ms: 195, isQuick: false })
    // Of other rows that says nothing.
    expect(livePrediction(million, after(95, 'rows'), standardised, 8)).toEqual({ ms: 200, isQuick: true })
  })
})

describe('restarts that nobody gave a number of', () => {
  it('are ten where they are quickly done', () => {
    expect(usualRestarts(defaultRunConfig, 150, 4)).toBe(manyRestarts)
    expect(usualRestarts({ ...defaultRunConfig, k: 10 }, 1797, 64)).toBe(manyRestarts)
    expect(usualRestarts(defaultRunConfig, 1_000_000, 8)).toBe(1)
  })

  it('are one where every start is the same, where iterations have no end, and of the studied variants', () => {
    expect(usualRestarts({ ...defaultRunConfig, init: 'first-k' }, 150, 4)).toBe(1)
    expect(usualRestarts({ ...defaultRunConfig, stop: 'none', maxIterations: 1e6 }, 150, 4)).toBe(1)
    expect(usualRestarts({ ...defaultRunConfig, variant: 'sequential' }, 150, 4)).toBe(1)
    expect(usualRestarts({ ...defaultRunConfig, engine: 'webgpu' }, 150, 4)).toBe(1)
  })
})
