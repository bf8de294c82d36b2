import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultRunConfig, stopRules, type RunConfig, type StopRule } from '@shared/run-config'
import type { IterationRow, RunRecord } from '@shared/run-record'
import { openDataset } from '../csv/open-dataset'
import { runKmeans } from './run-kmeans'
import { ruleThreshold, thresholdFor } from './units'

const never = new AbortController().signal
const measured = ['relative-shift', 'inertia', 'labels'] as const

beforeAll(() => void vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => void vi.unstubAllEnvs())

/** What a rule looks at, from the rows that are shown. */
const quantities: Readonly<Record<(typeof measured)[number], (rows: readonly IterationRow[]) => number>> = {
  'relative-shift': (rows) => rows.at(-1)?.shiftSquared ?? NaN,
  inertia: (rows) => (rows.at(-2)?.inertia ?? NaN) - (rows.at(-1)?.inertia ?? NaN),
  labels: (rows) => rows.at(-1)?.changed ?? NaN,
}

async function watched(config: Partial<RunConfig>): Promise<{ record: RunRecord; thresholds: Set<number> }> {
  const iris = await openDataset(join(process.cwd(), 'examples', 'iris.csv'), {}, () => undefined, never)
  const thresholds = new Set<number>()
  const whole = {
    ...defaultRunConfig,
    engine: 'cpu',
    variant: 'sequential',
    history: true,
    ...config,
  } as const
  const { record } = await runKmeans(
    iris,
    whole,
    { phase: () => undefined, iterations: ({ threshold }) => thresholds.add(threshold) },
    never,
  )
  return { record, thresholds }
}

describe('what a rule compares with, as it is reported while a run works', () => {
  it.each(measured)('%s stops when its quantity gets there, and not before', async (stop) => {
    const tolerance = { 'relative-shift': 1e-3, inertia: 0.05, labels: 0.02 }[stop]
    const { record, thresholds } = await watched({ k: 5, init: 'first-k', stop, tolerance })
    const [threshold] = [...thresholds]
    expect(thresholds.size).toBe(1)
    expect(record.stopped).toBe(stop)
    expect(quantities[stop](record.history)).toBeLessThanOrEqual(threshold)
    expect(quantities[stop](record.history.slice(0, -1))).toBeGreaterThan(threshold)
  })

  it.each(stopRules)('%s: is what the engine compares with, in other units', (stop: StopRule) => {
    const points = { n: 40, exponent: 7, meanVariance: 3 }
    const power = { 'relative-shift': 14, inertia: 14, 'coordinate-shift': 7, labels: 0, none: 0 }[stop]
    const unit = stop === 'labels' ? 40 : 1
    const rule = { stop, tolerance: 0.125 }
    expect(ruleThreshold(rule, points)).toBeCloseTo(thresholdFor(rule, points) * 2 ** power * unit, 12)
  })
})
