import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { KeptSession } from './kept-session'

const file = { path: '/data/iris.csv', overrides: { header: true }, datasetId: 'd1' }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'session '))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A start of the program that finds what an earlier one left. */
async function started() {
  const session = new KeptSession(folder)
  return { session, goesOn: await session.load() }
}

it('an ended start leaves its file to the next one, under the id of its results, once', async () => {
  new KeptSession(folder).opened(file)
  const { session, goesOn } = await started()
  expect(goesOn).toBe(true)
  expect(session.take()).toEqual(file)
  expect(session.take()).toBeNull()
  expect(session.resume(file.path)).toBe('d1')
  // Read another way later, it is another dataset.
  expect(session.resume(file.path)).toBeNull()
})

it('another file, a closed one and an end on purpose leave nothing', async () => {
  const first = new KeptSession(folder)
  first.opened(file)
  first.closed('another')
  const { session } = await started()
  session.take()
  expect(session.resume('/data/other.csv')).toBeNull()
  session.closed('d1')
  expect((await started()).goesOn).toBe(false)
  first.opened(file)
  first.forget()
  expect(existsSync(join(folder, 'session.json'))).toBe(false)
})

it('a file that ends the program each time is given up after two starts; a damaged session is none', async () => {
  new KeptSession(folder).opened(file)
  expect((await started()).goesOn).toBe(true)
  expect((await started()).goesOn).toBe(true)
  expect((await started()).goesOn).toBe(false)
  writeFileSync(join(folder, 'session.json'), '{"file": {"path": "/etc')
  expect((await started()).goesOn).toBe(false)
})
