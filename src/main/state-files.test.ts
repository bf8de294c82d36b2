import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StateFiles, type StateFile } from './state-files'

let folder: string
let state: StateFiles
let reported: string[]

const settings: StateFile<{ theme: string }> = {
  name: 'settings.json',
  schema: v.object({ theme: v.string() }),
  maxBytes: 2 ** 10,
  lost: { subject: 'Your settings', instead: 'were reset to the defaults' },
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'state files '))
  state = new StateFiles(folder)
  reported = []
  state.onNotice((sentence) => reported.push(sentence))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

describe('state on disk', () => {
  it('comes back, leaves nothing beside it and is read by nobody else', async () => {
    expect(state.write(settings, { theme: 'dark' })).toBe(true)
    expect(await state.read(settings)).toEqual({ theme: 'dark' })
    expect(readdirSync(folder)).toEqual(['settings.json'])
    expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600)
    expect(reported).toEqual([])
  })

  it.each([
    ['cut off', '{"theme": "da'],
    ['of another form', '{"theme": 5}'],
    ['empty', ''],
  ])('that is %s counts as none, is set aside and told', async (_, text) => {
    writeFileSync(join(folder, 'settings.json'), text)
    expect(await state.read(settings)).toBeNull()
    expect(readdirSync(folder)).toEqual(['settings.json.damaged'])
    expect(readFileSync(join(folder, 'settings.json.damaged'), 'utf8')).toBe(text)
    expect(reported).toEqual([
      `Your settings could not be read and were reset to the defaults; the file is kept as ${join(folder, 'settings.json.damaged')}.`,
    ])
    expect(await state.read(settings)).toBeNull()
    expect(reported).toHaveLength(1)
  })

  it('that is far too large is set aside unread', async () => {
    writeFileSync(join(folder, 'settings.json'), '{')
    truncateSync(join(folder, 'settings.json'), 2 ** 40)
    const began = performance.now()
    expect(await state.read(settings)).toBeNull()
    expect(performance.now() - began).toBeLessThan(1000)
    expect(reported[0]).toContain('could not be read (it is larger than 1 KiB)')
  })

  it('of an earlier start is reported as soon as somebody listens, in one piece', async () => {
    const early = new StateFiles(folder)
    writeFileSync(join(folder, 'settings.json'), '')
    await early.read(settings)
    early.notice('And another.')
    early.onNotice((sentence) => reported.push(sentence))
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatch(/^Your settings .* And another\.$/)
  })
})

describe('a start after a kill', () => {
  it('removes what was half written, and closes the folder to others', () => {
    writeFileSync(join(folder, 'settings.json.new'), '{"the')
    writeFileSync(join(folder, 'settings.json'), '{"theme": "dark"}')
    chmodSync(folder, 0o755)
    state.removeUnfinished()
    expect(readdirSync(folder)).toEqual(['settings.json'])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
})

describe('a disk that is full', () => {
  it.skipIf(process.platform === 'win32')('keeps the old file whole, and says so once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    state.write(settings, { theme: 'dark' })
    for (const theme of ['light', 'system']) {
      // Every byte written here answers ENOSPC.
      symlinkSync('/dev/full', join(folder, 'settings.json.new'))
      expect(state.write(settings, { theme })).toBe(false)
    }
    expect(await state.read(settings)).toEqual({ theme: 'dark' })
    expect(readdirSync(folder)).toEqual(['settings.json'])
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatch(/because the disk is full: .* are lost when Centroid Lab ends/)
    expect(warn).toHaveBeenCalledTimes(2)
    expect(state.write(settings, { theme: 'light' })).toBe(true)
  })

  it('stops nobody where there is no folder at all', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    expect(new StateFiles(join(folder, 'none')).write(settings, { theme: 'dark' })).toBe(false)
  })
})
