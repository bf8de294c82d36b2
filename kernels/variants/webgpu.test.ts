import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { loadCpuAddon } from '@engine/engines/native'
import { webgpuEngine } from '@engine/engines/webgpu'
import { asStudied, type WebgpuFacts } from '@shared/plan'
import { grid } from '@kernels/common/webgpu/passes'
import type { WebgpuQuestion } from '@kernels/common/webgpu/variant'
import { variants } from '@kernels/variants'
import { regimePasses, webgpuVariants } from './webgpu'

const maxBuffers = 8
const folder = new URL('.', import.meta.url)
/** What every device with WebGPU offers. */
const least: WebgpuFacts = {
  engine: 'webgpu',
  name: 'the least',
  software: false,
  workgroupBytes: 16 * 1024,
  invocationsPerWorkgroup: 256,
  storageBindingBytes: 2 ** 27,
  lanesAtOnce: 2 ** 14,
  matrixUnits: true,
}

const tableOf = (id: string) => variants.find((each) => each.id === id)?.regimes?.webgpu ?? []
const names = (path: URL) => readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory())

describe('a variant is one folder', () => {
  it('those with a file <id>.webgpu.ts are there, and no other', () => {
    const onDisk = names(folder)
      .map(({ name }) => name)
      .filter((id) => readdirSync(new URL(`${id}/`, folder)).includes(`${id}.webgpu.ts`))
    expect(Object.keys(webgpuVariants).sort()).toEqual(onDisk.sort())
    const declared = variants.filter(({ engines }) => engines.webgpu !== undefined).map(({ id }) => id)
    expect(onDisk.sort()).toEqual(declared.sort())
  })

  it('the engine offers them without knowing the name of any', () => {
    const offered = webgpuEngine.variants().map(({ id }) => id)
    const needProcessor = Object.keys(webgpuVariants).filter((id) => webgpuVariants[id].hostUpdate)
    const missing = loadCpuAddon().addon === null ? needProcessor : []
    expect([...offered, ...missing].sort()).toEqual(Object.keys(webgpuVariants).sort())
    const engine = new URL('../../src/engine/engines/', folder)
    const files = readdirSync(new URL('webgpu/', engine), { recursive: true, encoding: 'utf8' })
    const sources = ['webgpu.ts', ...files.map((file) => `webgpu/${file}`)].filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    for (const file of sources) {
      const text = readFileSync(new URL(file, engine), 'utf8')
      for (const id of Object.keys(webgpuVariants))
        expect([file, text.includes(`'${id}'`)]).toEqual([file, false])
    }
  })

  it.each(Object.entries(webgpuVariants))('%s has a folder for each regime of its table', (id, variant) => {
    const table = tableOf(id).map(({ name }) => name)
    const expected = table.length === 0 ? [asStudied] : table
    expect(Object.keys(variant.regimes).sort()).toEqual([...expected].sort())
    if (table.length === 0) return
    const folders = names(new URL(`${id}/regimes/`, folder)).map(({ name }) => name)
    expect(folders).toEqual(expect.arrayContaining(table))
  })
})

const questionOf = (k: number, d: number): WebgpuQuestion => ({
  shape: { n: 1_000_003, d, k },
  device: least,
  hints: {},
})

const all = Object.entries(webgpuVariants).flatMap(([id, { regimes }]) =>
  Object.keys(regimes).map((regime) => [id, regime] as const),
)

describe.each(all)('passes of %s by %s', (id, name) => {
  const refuses = (question: WebgpuQuestion) =>
    tableOf(id)
      .find((row) => row.name === name)
      ?.refuses(question) ?? null

  it.each([
    [1, 1],
    [5, 2],
    [60, 2],
    [1025, 8],
    [16, 300],
    [5000, 100],
  ])('name kernels and scratch that exist, within the limits of every device (k %i, d %i)', (k, d) => {
    const question = questionOf(k, d)
    if (refuses(question) !== null) return
    const passes = regimePasses(id, webgpuVariants[id].regimes[name], question)
    const list = [...(passes.prepare ?? []), ...passes.assign, ...(passes.whole ?? []), ...passes.update]
    expect(passes.assign.length).toBeGreaterThan(0)
    for (const { kernel, scratch = [], groups } of list) {
      expect(passes.kernels[kernel].bindings.length + scratch.length).toBeLessThanOrEqual(maxBuffers)
      for (const each of scratch) expect(passes.scratch).toHaveProperty(each)
      for (const count of [1, 256, 1_000_003]) {
        const [x, y] = groups({ count, k, d })
        expect(Math.min(x, y)).toBeGreaterThan(0)
        expect(Math.max(x, y)).toBeLessThanOrEqual(65535)
      }
    }
    expect(new Set(list.map(({ kernel }) => kernel))).toEqual(new Set(Object.keys(passes.kernels)))
  })
})

it('a grid covers any number of workgroups within 65 535 a dimension', () => {
  for (const groups of [1, 65535, 65536, 390625, 31_250_000]) {
    const [x, y] = grid(groups)
    expect(x * y).toBeGreaterThanOrEqual(groups)
    expect(Math.max(x, y)).toBeLessThanOrEqual(65535)
  }
})
