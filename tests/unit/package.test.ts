import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAsar, writeAsar } from '../../scripts/lib/asar.mjs'
import { SetupFailure } from '../../scripts/lib/failure.mjs'
import { filesBelow, copyParts, missingPackages, withImports } from '../../scripts/lib/package-files.mjs'
import { iconSizes } from '../../scripts/lib/package-icons.mjs'
import { packageOptions } from '../../scripts/lib/package-options.mjs'
import { unwanted } from '../../scripts/lib/package-tree.mjs'
import { packagedWindow } from '../../src/cli/open-window'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'package é '))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

describe('the archive of the application', () => {
  it('gives back every byte, below folders and with names beyond ASCII', async () => {
    const bodies = { 'package.json': '{}', 'out/main/größe.js': 'ü'.repeat(1000), 'out/empty': '' }
    const entries = Object.entries(bodies).map(([to, text]) => ({ from: Buffer.from(text), to }))
    await writeAsar(entries, join(folder, 'app.asar'))
    const read = [...readAsar(join(folder, 'app.asar'))].map(([path, body]) => [path, body.toString()])
    expect(Object.fromEntries(read)).toEqual(bodies)
    expect(readdirSync(folder)).toEqual(['app.asar'])
  })

  it('is whole when it is read at once, and the same whatever the order of what goes in', async () => {
    // Larger than what a stream holds back.
    const entries = ['b', 'a/c', 'a/a'].map((to, i) => ({ from: randomBytes(300_000 + i), to }))
    const [one, other] = [join(folder, '[1].asar'), join(folder, '2.asar')]
    await writeAsar(entries, one)
    expect([...readAsar(one).values()].map(({ length }) => length)).toEqual([300_002, 300_001, 300_000])
    await writeAsar(entries.toReversed(), other)
    expect(readFileSync(other).equals(readFileSync(one))).toBe(true)
  })
})

describe('what goes into a package', () => {
  it('takes a program with all that it imports, and not its neighbours', () => {
    // A bundler writes any quotes.
    write('main/cli.js', 'import{a}from"./chunks/a.js";import"node:fs";await import(`./chunks/late.js`)')
    write('main/chunks/a.js', 'export * from "./b.js"')
    write('main/chunks/b.js', 'import * as w from "webgpu"')
    write('main/chunks/late.js', '')
    write('main/chunks/window.js', '')
    const taken = withImports(join(folder, 'main/cli.js')).map((file) => basename(file))
    expect(taken.sort()).toEqual(['a.js', 'b.js', 'cli.js', 'late.js'])
  })

  it('says which packages a program asks for that nobody brings', () => {
    write(
      'main/cli.js',
      'import{a}from"yazl";import"node:fs";import b from"fs";await import(`webgpu`);import"@a/b/c"',
    )
    expect(missingPackages([join(folder, 'main/cli.js')], ['webgpu'])).toEqual(['@a/b', 'yazl'])
  })

  it('says which file is missing', () => {
    const parts = [{ from: join(folder, 'not built'), to: 'a' }]
    expect(() => copyParts(parts, folder)).toThrow(/not built belongs into the package and is not there/)
  })

  it('refuses source maps, packages and the development entry, in the archive too', async () => {
    const clean = ['resources/engine/node_modules/webgpu/index.js', 'resources/node/node', 'LICENSE']
    const wrong = ['resources/engine/out/main/cli.js.map', 'resources/default_app.asar/main.js']
    const dev = 'resources/engine/node_modules/vite/index.js'
    for (const path of [...clean, ...wrong, dev]) write(path, '')
    const mapped = Buffer.from('1\n//# sourceMappingURL=data:application/json;base64,e30=')
    const entries = [
      { from: mapped, to: 'out/main/index.js' },
      { from: Buffer.from(''), to: 'out/a.js' },
    ]
    await writeAsar(entries, join(folder, 'resources/app.asar'))
    const expected = [...wrong, dev, 'resources/app.asar/out/main/index.js']
    expect(unwanted(folder).sort()).toEqual(expected.sort())
  })

  it('has an icon of every size it names', () => {
    const painted = filesBelow('build/icons').filter((file) => file.endsWith('.png'))
    expect(painted.sort()).toEqual(iconSizes.map((size) => `${size}x${size}.png`).sort())
  })
})

describe('npm run package', () => {
  it('makes both packages, or the one that is named; CUDA where it can be compiled', () => {
    expect(packageOptions([], true)).toMatchObject({ deb: true, tar: true, cuda: 'all', out: null })
    expect(packageOptions(['--tar', '--out', 'x'], false)).toMatchObject({
      deb: false,
      tar: true,
      cuda: 'none',
      out: 'x',
    })
    expect(packageOptions(['--deb', '--cuda', 'built'], false)).toMatchObject({ tar: false, cuda: 'built' })
  })

  it.each([['--rpm'], ['--cuda=some'], ['x']])('refuses %s in one sentence', (argument) => {
    expect(() => packageOptions([argument], true)).toThrow(SetupFailure)
    expect(() => packageOptions([argument], true)).toThrow(new RegExp(argument.replace(/.*=/, '')))
  })
})

describe('the installed command line', () => {
  it('opens the window that lies with it, without switches, and never as root', () => {
    write('centroid-lab-window', '')
    const engine = join(folder, 'resources', 'engine')
    expect(packagedWindow(engine, 1000)).toEqual({ path: join(folder, 'centroid-lab-window'), args: [] })
    expect(() => packagedWindow(engine, 0)).toThrow(/cannot be opened by root/)
    expect(packagedWindow(join(folder, 'a', 'b', 'c'), 0)).toBeNull()
  })
})
