import { mkdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunResult } from '@engine/run/types'
import { exportSteps } from './steps-folder'
import { runOf } from './testing/run-of'

const never = new AbortController().signal
let folder: string
let target: string
let result: RunResult

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steps-folder-'))
  target = join(folder, 'steps')
  await mkdir(target)
  const path = join(folder, 'points.csv')
  await writeFile(path, 'a,b\n0,0\n1,0\n9,9\n8,9\n')
  result = await runOf(path, { k: 2 })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const names = async () => (await readdir(target)).sort()
const put = (name: string, text = 'old\n') => writeFile(join(target, name), text)
const pair = (i: number) => [`step-${i}-centroids.csv`, `step-${i}-points.csv`]

describe('step pairs in a folder', () => {
  it('writes all that were asked for, and tells how far it is', async () => {
    const reported: (readonly [number, number])[] = []
    const onProgress = (rows: number, total: number) => reported.push([rows, total])
    const files = await exportSteps(result, target, 2, { replace: false, signal: never, onProgress })
    expect(await names()).toEqual([...pair(1), ...pair(2)])
    expect(files).toEqual(
      ['step-1-points', 'step-1-centroids', 'step-2-points', 'step-2-centroids'].map((name) =>
        join(target, `${name}.csv`),
      ),
    )
    expect(reported.at(-1)).toEqual([4, 4])
  })

  it('refuses to replace what is there, and then leaves everything as it was', async () => {
    await put('step-2-points.csv')
    await expect(exportSteps(result, target, 3, { replace: false, signal: never })).rejects.toMatchObject({
      code: 'export.exists',
    })
    expect(await names()).toEqual(['step-2-points.csv'])
  })

  it('takes away the pairs of a longer run, and nothing else', async () => {
    const others = ['step-9-notes.csv', 'step-09-points.csv', 'my-step-9-points.csv', 'step-9-points.csv.bak']
    for (const name of [...others, ...pair(2), ...pair(3), ...pair(12)]) await put(name)
    await mkdir(join(target, 'step-7-points.csv'))
    await exportSteps(result, target, 2, { replace: true, signal: never })
    expect(await names()).toEqual([...others, 'step-7-points.csv', ...pair(1), ...pair(2)].sort())
    expect(await readFile(join(target, 'step-2-points.csv'), 'utf8')).toContain('a,b,cluster')
  })

  it('leaves later pairs when nothing may be replaced', async () => {
    await put('step-9-points.csv')
    await exportSteps(result, target, 1, { replace: false, signal: never })
    expect(await names()).toEqual([...pair(1), 'step-9-points.csv'])
  })

  it('leaves no file when it is cancelled, and the old ones whole', async () => {
    await put('step-1-points.csv')
    const controller = new AbortController()
    const options = { replace: true, signal: controller.signal, onProgress: () => controller.abort() }
    await expect(exportSteps(result, target, 3, options)).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await names()).toEqual(['step-1-points.csv'])
    expect(await readFile(join(target, 'step-1-points.csv'), 'utf8')).toBe('old\n')
  })

  it('puts everything back when a file cannot be placed after others were', async () => {
    await put('step-1-points.csv')
    const blocked = join(target, 'step-2-points.csv')
    // Another program takes the name of a later file while the pairs are written.
    const onProgress = (rows: number) => {
      if (rows === 4) mkdirSync(blocked, { recursive: true })
    }
    const options = { replace: true, signal: never, onProgress }
    await expect(exportSteps(result, target, 3, options)).rejects.toMatchObject({ kind: 'io' })
    expect(await names()).toEqual(['step-1-points.csv', 'step-2-points.csv'])
    expect(await readFile(join(target, 'step-1-points.csv'), 'utf8')).toBe('old\n')
  })

  it('never takes the place of the data, nor takes them away as a later step', async () => {
    const data = join(target, 'step-2-points.csv')
    await writeFile(data, 'a,b\n0,0\n1,0\n9,9\n8,9\n')
    const own = await runOf(data, { k: 2 })
    const write = (steps: number) => exportSteps(own, target, steps, { replace: true, signal: never })
    await expect(write(2)).rejects.toMatchObject({ code: 'export.is-source' })
    await write(1)
    expect(await names()).toEqual([...pair(1), 'step-2-points.csv'])
    expect(await readFile(data, 'utf8')).toContain('9,9\n')
  })

  it('keeps the permissions of a file it replaces, and a link pointing where it points', async () => {
    await put('step-1-points.csv')
    await chmod(join(target, 'step-1-points.csv'), 0o600)
    await writeFile(join(folder, 'elsewhere.csv'), 'old\n')
    await symlink(join(folder, 'elsewhere.csv'), join(target, 'step-1-centroids.csv'))
    await exportSteps(result, target, 1, { replace: true, signal: never })
    expect((await stat(join(target, 'step-1-points.csv'))).mode & 0o777).toBe(0o600)
    expect(await readFile(join(folder, 'elsewhere.csv'), 'utf8')).toContain('cluster,a,b')
  })

  it('says so when the folder is not there, or no centroids were kept', async () => {
    const options = { replace: true, signal: never }
    await expect(exportSteps(result, join(folder, 'gone'), 1, options)).rejects.toMatchObject({
      code: 'export.folder-missing',
    })
    await expect(exportSteps({ ...result, centroidHistory: [] }, target, 1, options)).rejects.toMatchObject({
      code: 'export.not-recorded',
    })
  })
})
