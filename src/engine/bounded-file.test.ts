import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTextWithin } from './bounded-file'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bounded-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads a file up to its limit, and none beyond, however large', async () => {
  const path = join(folder, 'state.json')
  writeFileSync(path, 'über')
  expect(await readTextWithin(path, 5)).toEqual({ kind: 'text', text: 'über' })
  expect(await readTextWithin(path, 4)).toMatchObject({ kind: 'unfit' })
  // Sparse: it takes no room, and reading it would take minutes.
  truncateSync(path, 2 ** 40)
  const began = performance.now()
  expect(await readTextWithin(path, 2 ** 20)).toEqual({ kind: 'unfit', why: 'it is larger than 1 MiB' })
  expect(performance.now() - began).toBeLessThan(1000)
})

it('says that nothing is there', async () => {
  expect(await readTextWithin(join(folder, 'none.json'), 100)).toEqual({ kind: 'missing' })
})

it('reads no folder', async () => {
  mkdirSync(join(folder, 'folder.json'))
  expect(await readTextWithin(join(folder, 'folder.json'), 2 ** 20)).toMatchObject({ kind: 'unfit' })
})

it.skipIf(process.platform === 'win32')('waits for no pipe and reads no device without an end', async () => {
  const pipe = join(folder, 'pipe.json')
  execFileSync('mkfifo', [pipe])
  expect(await readTextWithin(pipe, 2 ** 20)).toEqual({ kind: 'unfit', why: 'it is no file' })
  expect(await readTextWithin('/dev/zero', 2 ** 20)).toEqual({ kind: 'unfit', why: 'it is no file' })
})
