import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readJson, writeJsonNow } from './json-file'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-settings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const schema = v.object({ theme: v.string() })

describe('settings on disk', () => {
  it('come back, and leave nothing beside them', async () => {
    const path = join(folder, 'deep', 'settings.json')
    writeJsonNow(path, { theme: 'dark' })
    expect(await readJson(path, schema)).toEqual({ theme: 'dark' })
    expect(await readdir(join(folder, 'deep'))).toEqual(['settings.json'])
  })

  it.each([
    ['cut off', '{"theme": "da'],
    ['of another form', '{"theme": 5}'],
    ['empty', ''],
  ])('that are %s count as none', async (_, text) => {
    const path = join(folder, 'damaged.json')
    await writeFile(path, text)
    expect(await readJson(path, schema)).toBeNull()
  })

  it('that cannot be written stop nobody', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const file = join(folder, 'a file')
    await writeFile(file, 'x')
    writeJsonNow(join(file, 'settings.json'), { theme: 'dark' })
    expect(await readFile(file, 'utf8')).toBe('x')
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })
})
