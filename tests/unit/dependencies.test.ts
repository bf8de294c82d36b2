import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { unpinned } from '../../scripts/lib/pinned.mjs'

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const manifest = read('package.json') as Parameters<typeof unpinned>[0] & { version: string }
const lock = read('package-lock.json') as Parameters<typeof unpinned>[1]
const vue = 'node_modules/vue'

it('every package is pinned to one version and its hash', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(unpinned(manifest, lock)).toEqual([])
})

it.each([
  ['a range', { ...manifest, dependencies: { ...manifest.dependencies, vue: '^3.5.0' } }, {}],
  ['a version that is not locked', manifest, { [vue]: { ...lock.packages[vue], version: '3.0.0' } }],
  ['no hash', manifest, { [vue]: { ...lock.packages[vue], integrity: undefined } }],
  [
    'a weak hash',
    manifest,
    { [vue]: { ...lock.packages[vue], integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } },
  ],
  ['a folder', manifest, { [vue]: { ...lock.packages[vue], resolved: 'file:../vue' } }],
])('%s is reported', (_what, asked, changed) => {
  const found = unpinned(asked, { packages: { ...lock.packages, ...changed } })
  expect(found.length).toBeGreaterThan(0)
  expect(found.join()).toContain('vue')
})

it('every package that is asked for has its line in docs/dependencies.md, and no other', () => {
  const page = readFileSync('docs/dependencies.md', 'utf8')
  const used = page.slice(page.indexOf('## Used'), page.indexOf('## Our own'))
  const named = [...used.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const asked = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(named.sort()).toEqual(asked.sort())
})

/** For systems on which nothing is built here: what can be held to from here. */
const builder = readFileSync('build/electron-builder.yml', 'utf8')
const ours = readFileSync('scripts/lib/package-tree.mjs', 'utf8')

it('packages for Windows and macOS have the Electron and the fuses of those for Linux', () => {
  const electron = manifest.devDependencies?.['electron'] ?? ''
  expect(builder).toContain(`electronVersion: ${electron}\n`)
  const fuses = [...ours.matchAll(/FuseV1Options\.(\w+)\]: (true|false)/g)]
  expect(fuses.length).toBeGreaterThan(7)
  for (const [, name, value] of fuses) {
    expect(builder).toContain(`  ${name.charAt(0).toLowerCase()}${name.slice(1)}: ${value}\n`)
  }
})

it('and name no file that is not there', () => {
  const named = [...builder.matchAll(/(?:icon|from): ([\w./-]+)/g)].map(([, path]) => path)
  const made = /^(?:out|\.native|node_modules\/node-)/
  const missing = named.filter(
    (path) => !made.test(path) && ![path, `build/${path}`].some((at) => existsSync(at)),
  )
  expect(missing).toEqual([])
  expect(named.length).toBeGreaterThan(6)
})
