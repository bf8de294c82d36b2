import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runOf } from '@engine/export/testing/run-of'
import type { RunResult } from '@engine/run/types'
import { CentroidTrails } from './centroid-trail'
import { IterationLabels } from './iteration-labels'

const never = new AbortController().signal
const everyFeature = [0, 1, 2].map((feature) => ({ kind: 'feature', feature }) as const)

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-trail-'))
  path = join(folder, 'points.csv')
  await writeFile(path, 'a,b,c\n1,2,3\n2,2,4\n9,1,9\n8,1,9\n')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const trails = () =>
  new CentroidTrails(new IterationLabels(), () => ({ scoresOfCentroids: () => new Float64Array(2) }))
const all = { start: 0, count: 4, axes: everyFeature }

/** The run with points that count how often they are asked for centroids in units of the file. */
function counted(run: RunResult) {
  const asked = { toFile: 0 }
  const toFile: RunResult['points']['toFile'] = (centroids, k) => {
    asked.toFile++
    return run.points.toFile(centroids, k)
  }
  return { asked, result: { ...run, points: { ...run.points, toFile } } }
}

describe('where the centroids were', () => {
  it('is brought to units of the file once an iteration, however many axes there are', async () => {
    const { asked, result } = counted(await runOf(path, { k: 2, scaling: 'standardise' }))
    const { kept, values } = await trails().of(result, all, never)
    expect([kept, values.length, asked.toFile]).toEqual([4, 4 * 2 * 3, 4])
    expect([...values.subarray(0, 6)]).toEqual(
      [1, 2, 3, 2, 2, 4].map((value) => expect.closeTo(value, 5) as number),
    )
  })

  it('of unit-length rows stops when nobody wants it any more', async () => {
    const result = await runOf(path, { k: 2, scaling: 'unit-length' })
    const controller = new AbortController()
    const memberMeans: RunResult['points']['memberMeans'] = (labels, k, until) => {
      controller.abort()
      expect(until.aborted).toBe(true)
      return result.points.memberMeans(labels, k, until)
    }
    const watched = { ...result, points: { ...result.points, memberMeans } }
    await trails().of(watched, all, controller.signal)
    expect.assertions(4)
  })
})
