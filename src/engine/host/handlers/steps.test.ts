import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileCentroids, nearestLabels } from '@engine/export/assignment'
import { exportSteps } from '@engine/export/steps-folder'
import { runOf } from '@engine/export/testing/run-of'
import { maxSteps } from '@engine/steps/list-pairs'
import type { RunConfig } from '@shared/run-config'
import { stepsHandlers } from './steps'

const never = new AbortController().signal
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steps-'))
  await mkdir(join(folder, 'pairs'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const pairs = () => join(folder, 'pairs')
const put = (name: string, text: string) => writeFile(join(pairs(), name), text)
const points = (i: number, text = 'x,y,cluster\n0,1,0\n4,5,2\n') => put(`step-${i}-points.csv`, text)
const centroids = (i: number, text = 'cluster,x,y\n0,0,1\n2,4.5,5\n') => put(`step-${i}-centroids.csv`, text)
const open = () => stepsHandlers()['steps.open']({ folder: pairs() })

/** What can be asked for of an open folder, joined to plain numbers. */
async function opened() {
  const handlers = stepsHandlers()
  const summary = await handlers['steps.open']({ folder: pairs() })
  const part = { stepsId: summary.id, start: 0, count: 99 }
  const values = async (step: number, feature: number) => {
    const { values, offset, exponent } = await handlers['steps.values']({ ...part, step, feature })
    return Array.from(values, (value) => offset + value * 2 ** exponent)
  }
  const labels = async (step: number) => [...(await handlers['steps.labels']({ ...part, step })).labels]
  return { handlers, summary, values, labels }
}

/** A run exported step by step, and the same read back. */
async function roundTrip(text: string, config: Partial<RunConfig> = {}) {
  const path = join(folder, 'data.csv')
  await writeFile(path, text)
  const run = await runOf(path, { k: 2, ...config })
  await exportSteps(run, pairs(), 9, { replace: false, signal: never })
  return { run, ...(await opened()) }
}

describe('step pairs that were exported', () => {
  it('come back as they were: points, labels, centroids, ranges', async () => {
    const { run, summary, values, labels } = await roundTrip(
      'name,b,a\np,0,0\nq,0.25,1\nr,9,9.125\ns,,3\nt,9,8\n',
      { scaling: 'standardise' },
    )
    expect(summary.features).toEqual(['b', 'a'])
    expect(summary.ranges).toEqual([
      { min: 0, max: 9 },
      { min: 0, max: 9.125 },
    ])
    expect(summary.steps.map(({ iteration, points }) => [iteration, points])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
    ])
    expect(await values(1, 1)).toEqual([0, 1, 9.125, 8])
    for (const [step, { clusters, centroids }] of summary.steps.entries()) {
      const before = run.centroidHistory[step - 1] ?? run.initialCentroids
      expect(await labels(step)).toEqual([...(await nearestLabels(run, before, never))])
      expect(clusters).toEqual([0, 1])
      expect(centroids.flat()).toEqual([...(await fileCentroids(run, run.centroidHistory[step], never))])
    }
  })

  it.each([
    ['a decimal comma', 'a;b\n0,5;1\n1,5;1\n9;9\n8;9,25\n', { missing: 'drop' }, [0.5, 1.5, 9, 8]],
    ['identifiers as a feature', 'a,b\n1,0\n2,0\n3,9\n4,9\n', { features: ['a', 'b'] }, [1, 2, 3, 4]],
    [
      'a feature named cluster',
      'cluster,b\n1,0\n2,0\n7,9\n9,9\n',
      { features: ['cluster', 'b'] },
      [1, 2, 7, 9],
    ],
    ['one feature', 'a\n1\n2\n7\n9\n', {}, [1, 2, 7, 9]],
    ['names like numbers', '2019,2020\n1,0\n2,0\n7,9\n9,9\n', {}, [1, 2, 7, 9]],
    ['empty cells that were filled', 'a,b\n1,0\n2,\n7,9\n9,9\n', { missing: 'mean' }, [1, 2, 7, 9]],
  ] as const)('come back with %s', async (what, text, config, first) => {
    const overrides = what === 'names like numbers' ? { header: true } : {}
    const path = join(folder, 'data.csv')
    await writeFile(path, text)
    const run = await runOf(path, { k: 2, ...config }, { overrides })
    await exportSteps(run, pairs(), 9, { replace: false, signal: never })
    const { summary, values, labels } = await opened()
    expect(summary.features).toEqual(run.record.features.map(({ name }) => name))
    expect(await values(0, 0)).toEqual(first)
    expect(await labels(2)).toEqual([...run.labels])
    expect(summary.steps[2].centroids).toEqual(run.record.clusters.map(({ centroid }) => centroid))
  })

  it('leave out a dropped cluster', async () => {
    const path = join(folder, 'data.csv')
    await writeFile(path, 'a,b\n0,0\n1,0\n9,9\n8,9\n')
    const run = await runOf(path, { k: 3 }, { dropped: [1] })
    await exportSteps(run, pairs(), 1, { replace: false, signal: never })
    const { summary, labels } = await opened()
    expect(summary.steps[0].clusters).toEqual([0, 2])
    expect(new Set(await labels(0))).toEqual(new Set([0, 2]))
  })
})

describe('step pairs from elsewhere', () => {
  it('may leave out steps, order columns otherwise and hold other files beside them', async () => {
    await points(2)
    await centroids(2)
    await points(10, 'y,x,cluster\n7,6,1\n')
    await centroids(10, 'y,x\n3,2\n8,9\n')
    await put('notes.txt', 'nothing')
    const { summary, values, labels } = await opened()
    expect(summary).toMatchObject({ name: 'pairs', features: ['x', 'y'] })
    expect(summary.steps).toEqual([
      { iteration: 2, points: 2, clusters: [0, 2], centroids: [[0, 1], [4.5, 5]] }, // prettier-ignore
      { iteration: 10, points: 1, clusters: [0, 1], centroids: [[2, 3], [9, 8]] }, // prettier-ignore
    ])
    expect(summary.ranges[0]).toEqual({ min: 0, max: 6 })
    expect(await values(1, 0)).toEqual([6])
    expect([await labels(0), await labels(1)]).toEqual([[0, 2], [1]])
  })

  it('are answered in parts, until the folder is closed', async () => {
    await points(1)
    await centroids(1)
    const { handlers, summary } = await opened()
    const ask = (step: number, feature: number) => () =>
      handlers['steps.values']({ stepsId: summary.id, step, feature, start: 1, count: 1 })
    const { labels } = await handlers['steps.labels']({ stepsId: summary.id, step: 0, start: 1, count: 9 })
    expect([...labels]).toEqual([2])
    expect(ask(0, 0)).not.toThrow()
    expect(ask(1, 0)).toThrow(/step/)
    expect(ask(0, 2)).toThrow(/feature/)
    await handlers['steps.close']({ stepsId: summary.id })
    expect(ask(0, 0)).toThrow(/no longer open/)
  })
})

describe('a folder that is refused', () => {
  const both = async (i: number) => {
    await points(i)
    await centroids(i)
  }

  it.each<[string, string, RegExp, () => Promise<unknown>]>([
    ['no pair', 'steps.none', /pairs holds no step pair/, () => put('step-x-points.csv', 'a\n')],
    ['a missing partner', 'steps.partner', /not step-3-centroids\.csv/, () => points(3)],
    [
      'other features',
      'steps.features',
      /step-2-points\.csv has no feature 'y'/,
      () => points(2, 'x,z,cluster\n0,1,0\n'),
    ],
    [
      'other features of the centroids',
      'steps.features',
      /step-2-centroids\.csv has a feature 'w'/,
      () => centroids(2, 'cluster,x,y,w\n0,1,2,3\n'),
    ],
    [
      'a cluster that is none',
      'steps.cluster',
      /Row 3, column 'cluster' of .*step-2-points\.csv/,
      () => points(2, 'x,y,cluster\n0,1,0\n0,1,1.5\n'),
    ],
    [
      'a cluster twice',
      'steps.cluster',
      /step-2-centroids\.csv .* 1,/,
      () => centroids(2, 'cluster,x,y\n1,0,0\n1,2,2\n'),
    ],
    [
      'words for numbers',
      'steps.not-numeric',
      /'x' of .*step-2-points\.csv/,
      () => points(2, 'x,y,cluster\na,1,0\nb,1,1\n'),
    ],
  ])('has %s', async (what, code, sentence, spoil) => {
    if (what !== 'no pair') {
      await both(1)
      await both(2)
    }
    await spoil()
    await expect(open()).rejects.toMatchObject({ kind: 'input', code })
    await expect(open()).rejects.toThrow(sentence)
  })

  it('has too many steps, or too many bytes, or is not there', async () => {
    for (let i = 1; i <= maxSteps; i++) await both(i)
    expect((await open()).steps).toHaveLength(maxSteps)
    await both(maxSteps + 1)
    await expect(open()).rejects.toMatchObject({ code: 'steps.too-many' })
    await rm(pairs(), { recursive: true })
    await expect(open()).rejects.toMatchObject({ code: 'steps.unreadable' })
    await mkdir(pairs())
    await both(1)
    await truncate(join(pairs(), 'step-1-points.csv'), 300 * 2 ** 20)
    await expect(open()).rejects.toMatchObject({ code: 'steps.too-large' })
  })
})
