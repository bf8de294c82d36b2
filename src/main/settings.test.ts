import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as v from 'valibot'
import { windowSchemas } from './schemas'
import { SettingsStore } from './settings'
import { StateFiles } from './state-files'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function loaded(): Promise<SettingsStore> {
  const store = new SettingsStore(new StateFiles(folder))
  await store.load()
  return store
}

const memory = { memoryLimit: '2 GiB', deviceMemory: '', scratchFolder: '/data/scratch' }
const kept = () => readFileSync(join(folder, 'settings.json'), 'utf8')

it('what may be taken of memory is kept beside the settings, of which the page sees nothing', async () => {
  const store = await loaded()
  store.saveMemory(memory)
  store.save({ theme: 'dark' })
  await expect.poll(kept).toContain('"dark"')
  const again = await loaded()
  expect(again.memory).toEqual(memory)
  expect(again.get()).toMatchObject({ theme: 'dark' })
  expect(again.get()).not.toHaveProperty('memory')
})

it('a page cannot name the folder', () => {
  const parsed = v.parse(windowSchemas['app.save-settings'], { settings: { theme: 'dark', memory } } as never)
  expect(parsed.settings).toEqual({ theme: 'dark' })
  const named = { memoryLimit: '', deviceMemory: '', scratchFolder: '/etc' }
  expect(v.safeParse(windowSchemas['app.set-memory'], named).success).toBe(false)
})

it('a file of before, and one that is damaged, leave memory as it is', async () => {
  writeFileSync(join(folder, 'settings.json'), '{"theme":"light"}')
  expect((await loaded()).memory).toEqual({ memoryLimit: '', deviceMemory: '', scratchFolder: '' })
})
