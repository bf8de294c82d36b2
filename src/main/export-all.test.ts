import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HostChannel, HostParams, HostResult } from '@engine/host/protocol'
import { LabError } from '@shared/errors'
import { existingTargets, exportAll, fileNames, isStepFile, writePlot } from './export-all'

const plots = [
  { name: 'clusters', format: 'png', bytes: new Uint8Array([0x89, 0x50, 0, 0xff]) },
  { name: 'clusters', format: 'svg', bytes: new TextEncoder().encode('<svg/>') },
] as const
const never = new AbortController().signal
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-all-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Writes the name of the request into each file; `fail` answers an error for some files. */
class FakeEngine {
  readonly #fail: (file: string) => LabError | null

  constructor(fail: (file: string) => LabError | null = () => null) {
    this.#fail = fail
  }

  async request<K extends HostChannel>(channel: K, params: HostParams<K>): Promise<HostResult<K>> {
    const names = 'path' in params ? [basename(params.path)] : ['step-1-points.csv', 'step-1-centroids.csv']
    for (const name of names) {
      const error = this.#fail(name)
      if (error) throw error
      const flag = 'replace' in params && params.replace ? 'w' : 'wx'
      const into = 'path' in params ? dirname(params.path) : 'folder' in params ? params.folder : folder
      await writeFile(join(into, name), channel, { flag })
    }
    return { path: '', bytes: 0, files: names } as unknown as HostResult<K>
  }
}

const task = (replace = false) => ({ runId: 'r', runIds: ['r'], steps: 1, plots, folder, replace })

describe('everything into a folder', () => {
  it('writes every file and counts them', async () => {
    expect(await exportAll(new FakeEngine(), task(), never)).toEqual({ folder, files: 17 })
    expect((await readdir(folder)).sort()).toEqual([
      'centroids.csv',
      'clusters.png',
      'clusters.svg',
      'history-centroids.csv',
      'history.csv',
      'labels.csv',
      'labels.npy',
      'model.onnx',
      'model.pmml',
      'model.py',
      'profile.csv',
      'report.html',
      'report.md',
      'run.json',
      'step-1-centroids.csv',
      'step-1-points.csv',
      'timings.csv',
    ])
    expect(new Uint8Array(await readFile(join(folder, 'clusters.png')))).toEqual(plots[0].bytes)
  })

  it('leaves out what the run did not keep, and only that', async () => {
    const fail = (name: string) =>
      /^step|history-/.test(name) ? new LabError('input', 'export.not-recorded', 'This run kept none.') : null
    expect((await exportAll(new FakeEngine(fail), task(), never)).files).toBe(14)
  })

  it('names the file that failed and leaves no part of the set', async () => {
    const full = new LabError('io', 'export.disk-full', 'The disk is full.')
    const engine = new FakeEngine((name) => (name === 'history.csv' ? full : null))
    const failure = exportAll(engine, task(), never)
    await expect(failure).rejects.toMatchObject({
      code: 'export.disk-full',
      message: 'Exporting history.csv failed: The disk is full.',
    })
    expect(await readdir(folder)).toEqual([])
  })

  it('ends between two files when it is cancelled', async () => {
    const controller = new AbortController()
    const engine = new FakeEngine((name) => {
      if (name === 'labels.csv') controller.abort()
      return null
    })
    await expect(exportAll(engine, task(), controller.signal)).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await readdir(folder)).toEqual([])
  })

  it('replaces only when that was allowed', async () => {
    await writeFile(join(folder, 'clusters.svg'), 'mine')
    await expect(writePlot(plots[1], join(folder, 'clusters.svg'), false, never)).rejects.toMatchObject({
      code: 'export.exists',
    })
    expect(await readFile(join(folder, 'clusters.svg'), 'utf8')).toBe('mine')
    await exportAll(new FakeEngine(), task(true), never)
    expect(await readFile(join(folder, 'clusters.svg'), 'utf8')).toBe('<svg/>')
  })
})

describe('what would be replaced', () => {
  it('is what lies there under a name of the export', async () => {
    for (const name of ['labels.csv', 'mine.csv', 'step-2-points.csv', 'step-3-points.csv', 'clusters.png'])
      await writeFile(join(folder, name), '')
    await mkdir(join(folder, 'history.csv'))
    const names = fileNames.all(plots)
    const found = await existingTargets(folder, (name) => names.includes(name) || isStepFile(name))
    expect([...found].sort()).toEqual([
      'clusters.png',
      'labels.csv',
      'step-2-points.csv',
      'step-3-points.csv',
    ])
  })

  it('reports a folder that is gone', async () => {
    const gone = join(folder, 'gone')
    await expect(existingTargets(gone, () => true)).rejects.toThrow(gone)
  })

  it.each([
    ['step-1-points.csv', true],
    ['step-12-centroids.csv', true],
    ['step-13-points.csv', true],
    ['step-0-points.csv', false],
    ['step-01-points.csv', false],
    ['my-step-1-points.csv', false],
  ])('%s is of a step: %s', (name, expected) => {
    expect(isStepFile(name)).toBe(expected)
  })
})
