import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearTemporary, earlierSocketFolder, requireUserFolder } from './user-folder'

const home = vi.hoisted(() => ({ path: '' }))
vi.mock('electron', () => ({
  app: { getPath: () => home.path, setPath: (_: string, path: string) => (home.path = path), on: vi.fn() },
}))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporary '))
  home.path = join(folder, 'home')
  mkdirSync(home.path)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function socketIn(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  rmSync(join(home.path, 'SingletonSocket'), { force: true })
  symlinkSync(join(path, 'SingletonSocket'), join(home.path, 'SingletonSocket'))
  return path
}

it('removes the socket that a killed start left, and no other', () => {
  const left = socketIn('scoped_dirAAAAAA')
  const another = join(folder, 'scoped_dirOTHERS')
  mkdirSync(another)
  const earlier = earlierSocketFolder()
  expect(earlier).toBe(left)
  const own = socketIn('scoped_dirBBBBBB')
  clearTemporary(earlier, folder)
  expect([left, another, own].map((path) => existsSync(path))).toEqual([false, true, true])
})

it('removes nothing that a link in the folder only points to', () => {
  const precious = socketIn('documents')
  const earlier = earlierSocketFolder()
  socketIn('scoped_dirBBBBBB')
  clearTemporary(earlier, folder)
  expect(existsSync(precious)).toBe(true)
})

it('removes folders of starts that are over, and those of no other', () => {
  const over = spawnSync(process.execPath, ['-e', '']).pid
  const names = [`centroid-lab-${over}-abcdef`, `centroid-lab-${process.pid}-abcdef`, 'centroid-lab-soak-x']
  for (const name of [...names, 'scoped_dirOFTHEM']) mkdirSync(join(folder, name))
  symlinkSync(join(folder, 'scoped_dirOFTHEM', 'SingletonSocket'), join(folder, names[0], 'SingletonSocket'))
  clearTemporary(null, folder)
  expect(readdirSync(folder).sort()).toEqual([...names.slice(1), 'home'].sort())
})

// Only root can give a folder to somebody else.
it.runIf(process.getuid?.() === 0)('removes no socket that a folder of somebody else names', () => {
  const over = spawnSync(process.execPath, ['-e', '']).pid
  const theirs = join(folder, `centroid-lab-${over}-abcdef`)
  const inUse = join(folder, 'scoped_dirINUSE')
  for (const path of [theirs, inUse]) mkdirSync(path)
  symlinkSync(join(inUse, 'SingletonSocket'), join(theirs, 'SingletonSocket'))
  chownSync(theirs, 4711, 4711)
  clearTemporary(null, folder)
  expect([theirs, inUse].map((path) => existsSync(path))).toEqual([true, true])
})

it('makes the folder of the person, with those above it, for nobody else', () => {
  home.path = join(folder, 'new', 'home')
  expect(requireUserFolder()).toBeNull()
  const modes = [join(folder, 'new'), home.path].map((path) => statSync(path).mode & 0o777)
  if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o700])
})

it.skipIf(!existsSync('/proc/self'))(
  'takes a temporary one at once where the system makes no folders',
  () => {
    home.path = '/proc/nobody/home'
    expect(requireUserFolder()).toMatch(/^Your home folder cannot be written: /)
    expect(existsSync(home.path)).toBe(true)
    rmSync(home.path, { recursive: true })
  },
)
