import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadCpuAddon } from '@engine/engines/native'
import { variants } from '@kernels/variants'
import { engineIds, type EngineId } from '@shared/variant'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = (id: string) => join(root, 'kernels', 'variants', id)
const extensions: Readonly<Record<EngineId, string>> = { cpu: 'cpp', cuda: 'cu', webgpu: 'webgpu.ts' }

it('the index of variants is up to date', () => {
  const script = join(root, 'scripts', 'generate-variant-index.mjs')
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })
})

const { addon } = loadCpuAddon()

it.skipIf(addon === null)('the CPU addon was built with every variant declared for it', () => {
  const declared = variants.filter(({ engines }) => engines.cpu).map(({ id }) => id)
  expect(addon?.variants()).toEqual(expect.arrayContaining(declared))
})

const tables = variants.flatMap(({ id, regimes }) => (regimes?.cpu ? [{ id, table: regimes.cpu }] : []))

describe.each(tables)('regimes of $id on the processor', ({ id, table }) => {
  it('have a folder each, and no folder is without a regime', () => {
    const within = join(folder(id), 'regimes')
    const built = readdirSync(within).filter((name) => existsSync(join(within, name, `${name}.cpp`)))
    expect(built.sort()).toEqual(table.map(({ name }) => name).sort())
  })

  it.skipIf(addon === null)('are all in the addon', () => {
    expect([...(addon?.regimes(id) ?? [])].sort()).toEqual(table.map(({ name }) => name).sort())
  })
})

/** One file, or one for each regime. */
function hasKernel(id: string, engine: EngineId): boolean {
  if (existsSync(join(folder(id), `${id}.${extensions[engine]}`))) return true
  const table = variants.find((variant) => variant.id === id)?.regimes?.[engine]
  const file = (name: string) => join(folder(id), 'regimes', name, `${name}.${extensions[engine]}`)
  return table?.every(({ name }) => existsSync(file(name))) ?? false
}

describe.each(variants)('$id', ({ id, title, summary, engines }) => {
  it('has a name, a summary and an engine', () => {
    expect(title).not.toBe('')
    expect(summary).toMatch(/^[A-Z0-9].*\.$/)
    expect(Object.keys(engines).length).toBeGreaterThan(0)
  })

  it.each(engineIds)('has a kernel for %s where it says so, and only there', (engine) => {
    expect(hasKernel(id, engine)).toBe(engines[engine] !== undefined)
  })

  it('says in its README what it changes and what it costs', () => {
    const text = readFileSync(join(folder(id), 'README.md'), 'utf8')
    expect(text.length).toBeGreaterThan(300)
  })
})
