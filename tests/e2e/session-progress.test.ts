import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runOf } from '@engine/export/testing/run-of'
import { writeSession } from '@engine/session/write-session'
import { launch, type Lab } from './harness'

const iris = resolve(import.meta.dirname, '../../examples/iris.csv')
const runs = 24
const rows = 8_000_000
let home: string
let lab: Lab

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid large session '))
  await large(join(home, 'large.clab'))
  lab = await launch([], home)
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

/** A session that takes seconds to read; it is never shown, so that its labels need not be those of its file. */
async function large(path: string): Promise<void> {
  const { record, ...arrays } = await runOf(iris, { k: 3 })
  const labels = new Int32Array(rows)
  for (let i = 0; i < rows; i += 1000) labels[i] = i % 3
  const ids = Array.from({ length: runs }, (_, i) => `r${i}`)
  const { size, mtimeMs } = await stat(iris)
  const dataset = {
    ...{ id: 'd1', path: iris, bytes: size, sha256: null, modifiedMs: mtimeMs, overrides: {}, view: null },
    runs: ids.map((id, i) => ({ id, number: i + 1, note: '', looks: [], slots: null, silhouette: null })),
  }
  const run = (id: string) =>
    Promise.resolve({ ...arrays, datasetId: 'd1', labels, record: { ...record, id, n: rows } })
  await writeSession(path, { shown: 'd1', datasets: [dataset] }, run, new AbortController().signal)
}

const kept = async () =>
  (await readdir(join(home, 'user'), { recursive: true })).filter((name) => name.endsWith('.run'))

it('opening a large session shows how far it is, and a cancel leaves the window as it was', async () => {
  await lab.openExample('iris.csv')
  await lab.at('run').click()
  await lab.at('result-inertia').waitFor()
  const before = await kept()
  await lab.drop(join(home, 'large.clab'))
  await lab.at('waiting-card').waitFor()
  await expect
    .poll(() => lab.at('waiting-card').textContent())
    .toMatch(/Opening large\.clab.*of .*\(\d+ %\)/su)
  expect(await lab.at('status-bar').textContent()).toMatch(/Opening large\.clab: /u)
  await lab.picture('session opening')
  await lab.at('status-cancel-loading').click()
  await lab.at('status-bar').filter({ hasText: 'Opening was cancelled; nothing has changed.' }).waitFor()
  expect(await lab.at('waiting-card').count()).toBe(0)
  expect(await lab.at('dataset-name').textContent()).toBe('iris.csv')
  expect(await lab.page.locator('[data-run]').count()).toBe(1)
  expect(await kept()).toEqual(before)
})
