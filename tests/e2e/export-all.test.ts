import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultRunConfig } from '@shared/run-config'
import { ask, chooseInDialog, granted, heard, listen } from './bridge'
import { launch, type Lab } from './harness'

/** What the spies in main have noted. */
interface Spied {
  bars: number[]
  questions: string[]
}
const svg = { name: 'clusters', format: 'svg', bytes: new TextEncoder().encode('<svg/>') } as const
let lab: Lab
let runId: string
let folder: string

beforeAll(async () => {
  lab = await launch()
  folder = join(lab.folder, 'all of it')
  await mkdir(folder)
  await spy()
  await listen(lab, 'run.event')
  runId = await clusterIris()
  await chooseInDialog(lab, folder)
})
afterAll(() => lab.close())

/** A run of our own, which keeps its centroids, as step pairs need it; the page did not start it and drops it. */
async function clusterIris(): Promise<string> {
  await lab.app.evaluate(({ ipcMain }) => {
    ipcMain.removeHandler('run.forget')
    ipcMain.handle('run.forget', () => ({ ok: true, value: null }))
  })
  const iris = (await granted(lab, 'app.samples', {})).find(({ name }) => name === 'iris.csv')
  const { id } = await granted(lab, 'app.open', { token: iris?.token ?? '', overrides: {} })
  const config = { ...defaultRunConfig, engine: 'cpu', history: true, centroidHistory: true } as const
  await granted(lab, 'run.start', { datasetId: id, config })
  return await vi.waitFor(finishedRun, { timeout: 20_000 })
}

async function finishedRun(): Promise<string> {
  const done = (await heard(lab, 'run.event')).find(({ kind }) => kind === 'done')
  if (!done) throw new Error('the run did not end')
  return done.runId
}

/** Notes bars of the taskbar, and questions, which are answered as `answerQuestions` said last. */
async function spy(): Promise<void> {
  await lab.app.evaluate(({ BrowserWindow, dialog }) => {
    const spied: Spied = { bars: [], questions: [] }
    Object.assign(globalThis, { spied, response: 1 })
    BrowserWindow.getAllWindows()[0].setProgressBar = (bar) => spied.bars.push(bar)
    dialog.showMessageBox = ((_window: unknown, options: { message: string }) => {
      spied.questions.push(options.message)
      return Promise.resolve({
        response: (globalThis as unknown as { response: number }).response,
        checkboxChecked: false,
      })
    }) as typeof dialog.showMessageBox
  })
}

function spied(): Promise<Spied> {
  return lab.app.evaluate(() => (globalThis as unknown as { spied: Spied }).spied)
}

function answerQuestions(response: number): Promise<void> {
  return lab.app.evaluate((_, chosen) => {
    Object.assign(globalThis, { response: chosen })
  }, response)
}

function exportAll() {
  return granted(lab, 'app.export-all', { runId, runIds: [runId], steps: 2, plots: [svg] })
}

describe('the taskbar', () => {
  it('shows the progress of a run and lets go of it at the end', async () => {
    const { bars } = await spied()
    expect(bars[0]).toBe(2)
    expect(bars.at(-1)).toBe(-1)
  })
})

describe('everything into a folder', () => {
  it('writes all files at once, without a question where there is nothing', async () => {
    const answer = await exportAll()
    const names = (await readdir(folder)).sort()
    expect(answer).toEqual({ folder, files: names.length })
    expect(names).toEqual([
      'centroids.csv',
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
      'step-2-centroids.csv',
      'step-2-points.csv',
      'timings.csv',
    ])
    expect((await spied()).questions).toEqual([])
  })

  it('asks once before it replaces, and whoever says no keeps what is there', async () => {
    await writeFile(join(folder, 'labels.csv'), 'mine')
    await answerQuestions(1)
    expect(await exportAll()).toBeNull()
    expect((await spied()).questions).toEqual(['Replace 18 files?'])
    expect(await readFile(join(folder, 'labels.csv'), 'utf8')).toBe('mine')
    await answerQuestions(0)
    expect(await exportAll()).toMatchObject({ files: 18 })
    expect((await spied()).questions).toHaveLength(2)
    expect(await readFile(join(folder, 'labels.csv'), 'utf8')).toContain('cluster')
  })

  it('writes step pairs alone, and reads them back from their folder', async () => {
    const steps = join(lab.folder, 'pairs')
    await mkdir(steps)
    await chooseInDialog(lab, steps)
    expect(await granted(lab, 'app.export-steps', { runId, steps: 3 })).toEqual({ folder: steps, files: 6 })
    const chosen = await granted(lab, 'app.choose-steps', {})
    expect(chosen).toMatchObject({ name: 'pairs', kind: 'folder' })
    const opened = await granted(lab, 'app.open-steps', { token: chosen?.token ?? '' })
    expect(opened.steps.map(({ iteration, points }) => [iteration, points])).toEqual([
      [1, 150],
      [2, 150],
      [3, 150],
    ])
    await granted(lab, 'steps.close', { stepsId: opened.id })
  })

  it('does nothing when the folder dialog is closed', async () => {
    await chooseInDialog(lab, null)
    expect(await exportAll()).toBeNull()
    expect(await granted(lab, 'app.export-steps', { runId, steps: 1 })).toBeNull()
    expect(await granted(lab, 'app.choose-steps', {})).toBeNull()
  })

  it('names the file that could not be written, and writes none of the others', async () => {
    const blocked = join(lab.folder, 'blocked')
    await mkdir(join(blocked, 'history.csv'), { recursive: true })
    await chooseInDialog(lab, blocked)
    const answer = await ask(lab, 'app.export-all', { runId, runIds: [runId], steps: 1, plots: [] })
    expect(answer).toMatchObject({ ok: false, error: { code: 'export.is-directory' } })
    expect(JSON.stringify(answer)).toContain('history.csv')
    expect(await readdir(blocked)).toEqual(['history.csv'])
  })
})

describe('single files and the clipboard', () => {
  it('writes the execution times of the runs', async () => {
    const path = join(lab.folder, 'times.csv')
    await lab.saveAs(path)
    expect(await granted(lab, 'app.export-timings', { runIds: [runId, runId] })).toMatchObject({ path })
    expect((await readFile(path, 'utf8')).trim().split(/\r?\n/)).toHaveLength(3)
  })

  it('saves a plot under the name the dialog gave', async () => {
    const path = join(lab.folder, 'plot.svg')
    await lab.saveAs(path)
    expect(await granted(lab, 'app.save-plot', svg)).toEqual({ path, bytes: svg.bytes.length })
    expect(await readFile(path, 'utf8')).toBe('<svg/>')
    const climbing = await ask(lab, 'app.save-plot', { ...svg, name: '../plot' })
    expect(climbing).toMatchObject({ ok: false, error: { code: 'argument' } })
  })

  it('copies a picture, and says so when it is none', async () => {
    const png = await lab.page.evaluate(async () => {
      const canvas = new OffscreenCanvas(7, 5)
      canvas.getContext('2d')?.fillRect(0, 0, 7, 5)
      return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
    })
    await granted(lab, 'app.copy-image', { png })
    expect(await lab.app.evaluate(({ clipboard }) => clipboard.readImage().getSize())).toEqual({
      width: 7,
      height: 5,
    })
    const refused = await ask(lab, 'app.copy-image', { png: new Uint8Array([1, 2, 3]) })
    expect(refused).toMatchObject({ ok: false, error: { code: 'copy.no-image' } })
  })
})
