import { describe, expect, it } from 'vitest'
import type { Engine } from '@engine/engines/engine'
import { LabError } from '@shared/errors'
import { contenderOn, withFault } from '@tests/parity/faulty-engine'
import { referenceEngine } from '@tests/parity/reference-engine'
import { runConfiguration } from './bench'
import { makeBlobs } from './blobs'
import { minTime } from './clocks'
import { chosenConfigurations, takesPart, type Configuration } from './configurations'
import type { Entry } from './entry'
import { floorMs } from './floor'
import { readOptions } from './options'

const small: Configuration = { name: 'small', table: 'cpu', n: 300, d: 3, k: 4 }

/** The one entry of an engine on a configuration. */
async function entryOf(engine: Engine, configuration = small, seconds = 5): Promise<Entry> {
  const options = { asked: null, seconds }
  const floors = new Map([['cpu', null]])
  const entries = await runConfiguration(configuration, [contenderOn(engine)], floors, options, () => {})
  return entries[0]
}

describe('an entry of the benchmark', () => {
  it('is verified, timed and run to convergence', async () => {
    const entry = await entryOf(referenceEngine)
    expect(entry).toMatchObject({ outcome: 'measured', reason: null, labelsChecked: 300, floorMs: null })
    expect(entry.iteration?.stretches.length).toBeGreaterThan(0)
    expect(entry.iteration?.best).toBeLessThanOrEqual(entry.iteration?.median ?? 0)
    expect(entry.run).toMatchObject({ converged: true, runs: 3 })
    expect(entry.centroidError).toBeLessThan(1e-6)
  })

  it('is never timed when a label is wrong', async () => {
    const wrong = withFault(({ labels, ...read }) => ({
      ...read,
      labels: labels.map((label, i) => (i === 7 ? (label + 1) % 4 : label)),
    }))
    const entry = await entryOf(wrong)
    expect(entry).toMatchObject({ outcome: 'wrong', iteration: null, run: null })
    expect(entry.reason).toBe('1 of 300 labels are inexact')
  })

  it('is never timed when a centroid is off by more than the contract allows', async () => {
    const wrong = withFault((read) => ({ ...read, centroids: read.centroids.map((c) => c + 1e-5) }))
    const entry = await entryOf(wrong)
    expect(entry).toMatchObject({ outcome: 'wrong', iteration: null })
    expect(entry.reason).toMatch(/largest error of a centroid/)
  })

  it('says why a variant refused the problem, and what broke', async () => {
    const refusing = {
      ...referenceEngine,
      open: () => Promise.reject(new LabError('input', 'm', 'Too big.')),
    }
    expect(await entryOf(refusing)).toMatchObject({ outcome: 'unsuitable', reason: 'Too big.', openMs: null })
    const broken = { ...referenceEngine, open: () => Promise.reject(new Error('lost')) }
    expect(await entryOf(broken)).toMatchObject({ outcome: 'failed', reason: 'lost' })
  })

  it('is cut before it begins when an iteration would take too long', async () => {
    const entry = await entryOf(referenceEngine, { ...small, n: 1_000_000, d: 2, k: 128 }, 0.01)
    expect(entry).toMatchObject({ outcome: 'cut', iteration: null, run: null })
    expect(entry.reason).toMatch(/^an iteration would take about [\d.]+ s: not measured$/)
  })

  it('is not judged by a time that holds a pause', async () => {
    const times = [40, 3, 2]
    expect(await minTime(() => Promise.resolve(times.shift() ?? 0), 20)).toBe(3)
    expect(times).toEqual([2])
    const long = [60, 45, 50, 1]
    expect(await minTime(() => Promise.resolve(long.shift() ?? 0), 20)).toBe(45)
  })

  it('keeps what was measured of a run that is cut off', async () => {
    const entry = await entryOf(referenceEngine, { ...small, n: 20_000, k: 60 }, 0.03)
    expect(entry.outcome).toBe('cut')
    expect(entry.reason).toMatch(/the run was cut off after \d+ iterations/)
    expect(entry.iteration).not.toBeNull()
    expect(entry.run?.converged).toBe(false)
  })
})

describe('the floor', () => {
  const floors = {
    productsPerMs: 1e6,
    bytesPerMs: 1e6,
    matrixProductsPerMs: 1e8,
    cacheBytes: 0,
    minMs: 0.5,
  }

  it('is the slowest of products, bytes and the start of any work', () => {
    expect(floorMs({ n: 1e6, d: 2, k: 100 }, floors)).toBe(200)
    expect(floorMs({ n: 1e6, d: 2, k: 1 }, floors)).toBe(8)
    expect(floorMs({ n: 10, d: 2, k: 1 }, floors)).toBe(0.5)
  })

  it('counts matrix units from 16 features on, and no bytes that stay in the caches', () => {
    expect(floorMs({ n: 1e6, d: 64, k: 1000 }, floors)).toBe(640)
    expect(floorMs({ n: 1e6, d: 2, k: 1 }, { ...floors, cacheBytes: 8e6 })).toBe(2)
  })

  it('is unknown where the rates are', () => {
    expect(floorMs(small, null)).toBeNull()
  })
})

describe('the data', () => {
  it('are the same for the same shape, in engine units, with distinct rows to start from', () => {
    const [one, again] = [makeBlobs(small), makeBlobs(small)]
    expect(one).toEqual(again)
    expect(Math.max(...one.points.maxAbs)).toBeGreaterThanOrEqual(0.5)
    expect(Math.max(...one.points.maxAbs)).toBeLessThan(1)
    const rows = [0, 1, 2, 3].map((c) => one.centroids.subarray(c * 3, c * 3 + 3).join())
    expect(new Set(rows).size).toBe(4)
    expect(makeBlobs(small, 2).points.x).not.toEqual(one.points.x)
  })
})

describe('what is asked for', () => {
  it('are the tables by default, each for its engines; a name takes every engine', () => {
    const all = chosenConfigurations(null, 1)
    expect(all).toHaveLength(15)
    const [letter] = chosenConfigurations('e', 0.5)
    expect(letter).toMatchObject({ name: 'E', n: 500_000 })
    expect(takesPart('cuda', letter, null)).toBe(false)
    expect(takesPart('cuda', letter, 'E')).toBe(true)
    expect(takesPart('cpu', letter, null)).toBe(true)
    expect(chosenConfigurations('C', 1e-9)[0].n).toBe(512)
  })

  it('is refused in one sentence', () => {
    expect(() => readOptions(['--configurations', 'A,Z'])).toThrow(/Expected cpu, gpu, all .* received 'Z'/)
    expect(() => readOptions(['--seconds=-3'])).toThrow(/a number above 0 for --seconds/)
    expect(() => readOptions(['--engine', 'tpu'])).toThrow(/one of cpu, cuda, webgpu for --engine/)
    expect(() => readOptions(['--nonsense'])).toThrow(LabError)
  })
})
