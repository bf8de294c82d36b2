import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownIdentity } from '../process-identity'
import { writeTogether } from './file-set'
import { asOnlyWriter, cleanAfterDead } from './folder-lock'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'centroid-set-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const names = ['centroids.csv', 'labels.csv', 'run.json']
const read = () => names.map((name) => readFileSync(join(folder, name), 'utf8'))

function putAll(into: string, text: string, which = names): void {
  for (const name of which) writeFileSync(join(into, name), text)
}

/** As a process that has ended: this machine, a pid that nobody has. */
const dead = ownIdentity().replace(/-[0-9]+-[0-9]+$/, '-4194399-1')
const hidden = (end: string) => join(folder, `.${dead}-0123456789ab.centroid-lab.${end}`)

describe('files of one run', () => {
  it('appear together: until the last is written the earlier ones stay', async () => {
    putAll(folder, 'old')
    await writeTogether(folder, { replace: true, signal }, async (staging) => {
      putAll(staging, 'new')
      expect(read()).toEqual(['old', 'old', 'old'])
    })
    expect(read()).toEqual(['new', 'new', 'new'])
    expect(readdirSync(folder).sort()).toEqual(names)
  })

  it('leave nothing behind when one fails, in words about the folder that was named', async () => {
    putAll(folder, 'old')
    mkdirSync(join(folder, 'history.csv'))
    const writing = writeTogether(folder, { replace: true, signal }, async (staging) => {
      putAll(staging, 'new', [...names, 'history.csv'])
    })
    await expect(writing).rejects.toThrow(`${join(folder, 'history.csv')} is a folder`)
    expect(read()).toEqual(['old', 'old', 'old'])
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('follow a symbolic link to the file that is meant', async () => {
    writeFileSync(join(folder, 'real.csv'), 'old')
    symlinkSync('real.csv', join(folder, 'labels.csv'))
    await writeTogether(folder, { replace: true, signal }, async (staging) => putAll(staging, 'new'))
    expect(readFileSync(join(folder, 'real.csv'), 'utf8')).toBe('new')
  })

  it('are moved on by the next run where a kill came between two of them', async () => {
    putAll(folder, 'old')
    mkdirSync(hidden('set'))
    writeFileSync(join(folder, 'centroids.csv'), 'new')
    putAll(hidden('set'), 'new', ['labels.csv', 'run.json'])
    await asOnlyWriter(folder, async () => expect(read()).toEqual(['new', 'new', 'new']))
    expect(readdirSync(folder).sort()).toEqual(names)
  })

  it('that were not whole when a kill came go, with the lock of that process', async () => {
    mkdirSync(hidden('tmp'))
    putAll(hidden('tmp'), 'new', ['centroids.csv'])
    writeFileSync(join(folder, `.centroid-lab-${dead}.lock`), '')
    await cleanAfterDead(folder)
    expect(readdirSync(folder).map((name) => basename(name))).toEqual([])
  })
})
