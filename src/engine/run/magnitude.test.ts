import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { runKmeans } from './run-kmeans'

const never = new AbortController().signal
const silent = { phase: () => undefined, iterations: () => undefined }
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'magnitude-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Overlapping clouds that take ten iterations, in some unit. */
async function runIn(unit: number, config: Partial<RunConfig> = {}) {
  const rows = Array.from({ length: 300 }, (_, i) =>
    [Math.sin(i * 12.9) + (i % 3), Math.cos(i * 78.2) + (i % 5)].map((value) => value * unit).join(','),
  )
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, `a,b\n${rows.join('\n')}\n`)
  const dataset = await openDataset(path, {}, () => undefined, never)
  const asked = { engine: 'cpu', k: 4, init: 'first-k', scaling: 'none', ...config } as const
  return await runKmeans(dataset, { ...defaultRunConfig, ...asked }, silent, never)
}

describe('the magnitude of the data', () => {
  it.each([2 ** 470, 2 ** -470])('does not decide when a run stops: unit %s', async (unit) => {
    const plain = await runIn(1)
    const { record, labels, points } = await runIn(unit)
    expect(plain.record.iterations).toBeGreaterThan(5)
    expect(record.iterations).toBe(plain.record.iterations)
    expect(record.stopped).toBe('relative-shift')
    expect(labels).toEqual(plain.labels)
    expect(record.inertia / unit / unit).toBeCloseTo(plain.record.inertia, 3)
    expect(points.meanVariance / unit / unit).toBeCloseTo(plain.points.meanVariance, 5)
  })

  it.each([
    [2 ** 520, 'run.magnitude', 'too large'],
    [1.9 * 2 ** 480, 'run.magnitude', 'too large'],
    [2 ** -560, 'run.magnitude', 'too small'],
    [2 ** 1020, 'run.magnitude', 'too large'],
    [2 ** 1021.6, 'prepare.magnitude', 'too large'],
  ])(
    'is refused where squares leave float64 (unit %s), before a threshold is made of them',
    async (unit, code, words) => {
      await expect(runIn(unit)).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
    },
  )

  it('is no matter once a scaling has taken it out', async () => {
    const plain = await runIn(1, { scaling: 'standardise' })
    const { record, labels } = await runIn(2 ** 1000, { scaling: 'standardise' })
    expect(record.iterations).toBe(plain.record.iterations)
    expect(labels).toEqual(plain.labels)
    expect(record.inertia).toBeCloseTo(plain.record.inertia, 2)
  })
})
