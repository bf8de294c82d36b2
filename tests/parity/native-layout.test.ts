import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { loadCpuAddon } from '@engine/engines/native'

const kernels = fileURLToPath(new URL('../../kernels', import.meta.url))
const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

/** Sources of kernels for the processor and for CUDA, by their paths below kernels. */
const sources = readdirSync(kernels, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(common|methods|variants)\/.*\.(cpp|hpp|cu|cuh)$/.test(path))
  .map((path) => ({ path, includes: includesOf(path) }))

/** Each include by its path below kernels, as the compiler finds it: beside the file, in kernels, in common. */
function includesOf(path: string): string[] {
  const text = readFileSync(join(kernels, path), 'utf8')
  return [...text.matchAll(/^#include "([^"]+)"/gm)].flatMap(([, name]) => {
    const candidates = [join(dirname(path), name), name, join('common', name), join('common', 'cuda', name)]
    return [candidates.find((candidate) => isFile(candidate)) ?? `${name} (not found)`]
  })
}

function isFile(path: string): boolean {
  try {
    return readFileSync(join(kernels, path)).length > 0
  } catch {
    return false
  }
}

describe('includes run one way', () => {
  const reach = (from: RegExp, to: RegExp) =>
    sources.flatMap(({ path, includes }) =>
      from.test(path) ? includes.filter(to.test.bind(to)).map((include) => `${path} -> ${include}`) : [],
    )

  it('common includes no method and no variant', () => {
    expect(reach(/^common\//, /^(methods|variants)\//)).toEqual([])
  })

  it('methods include no variant', () => {
    expect(reach(/^methods\//, /^variants\//)).toEqual([])
  })

  it('a variant includes no other variant', () => {
    const others = sources.flatMap(({ path, includes }) => {
      const own = /^variants\/[^/]+\//.exec(path)?.[0]
      const foreign = own ? includes.filter((to) => to.startsWith('variants/') && !to.startsWith(own)) : []
      return foreign.map((to) => `${path} -> ${to}`)
    })
    expect(others).toEqual([])
  })

  it('a regime includes no other regime', () => {
    const others = sources.flatMap(({ path, includes }) => {
      const own = /^variants\/[^/]+\/regimes\/[^/]+\//.exec(path)?.[0]
      const foreign = own ? includes.filter((to) => /\/regimes\//.test(to) && !to.startsWith(own)) : []
      return foreign.map((to) => `${path} -> ${to}`)
    })
    expect(others).toEqual([])
  })

  it('every include of ours is found, and CUDA sources are among those looked at', () => {
    expect(sources.flatMap(({ includes }) => includes.filter((to) => to.endsWith('(not found)')))).toEqual([])
    expect(sources.some(({ path }) => path.endsWith('.cu'))).toBe(true)
    expect(sources.some(({ path }) => path.endsWith('.cuh'))).toBe(true)
  })
})

const { addon } = loadCpuAddon()

/** A copy of the kernels, for a build that ends with its plan. */
function copyOfKernels(): string {
  const root = mkdtempSync(join(tmpdir(), 'centroid-lab-layout-'))
  folders.push(root)
  const copy = join(root, 'kernels')
  cpSync(kernels, copy, { recursive: true })
  return copy
}

describe.skipIf(addon === null)('a variant needs its folder alone', () => {
  it(
    'its regimes are in the build, and their vector files have their flags',
    { timeout: 60_000 },
    async () => {
      const copy = copyOfKernels()
      const regime = join(copy, 'variants', 'toy', 'regimes', 'two-steps')
      mkdirSync(regime, { recursive: true })
      const declaration = (name: string, way: string) =>
        `#include "variant.hpp"\nnamespace centroid_lab { CpuRegime ${name}() { return {"toy", "${way}", nullptr}; } }\n`
      writeFileSync(join(regime, 'two-steps.cpp'), declaration('toy_two_steps', 'two-steps'))
      writeFileSync(join(regime, 'steps_avx2.cpp'), 'int toy_steps = 2;\n')
      mkdirSync(join(copy, 'variants', 'plain-toy'))
      writeFileSync(
        join(copy, 'variants', 'plain-toy', 'plain-toy.cpp'),
        declaration('plain_toy_as_studied', 'as-studied'),
      )
      const build = join(copy, 'build')
      const options = ['-DCENTROID_LAB_TESTS=OFF', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON']
      await promisify(execFile)('cmake', ['-S', copy, '-B', build, ...options])

      const written = readFileSync(join(build, 'cpu_regimes.cpp'), 'utf8')
      expect(written).toContain(' toy_two_steps(),')
      expect(written).toContain(' plain_toy_as_studied(),')
      const commands = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8')) as {
        readonly file: string
        readonly command: string
      }[]
      const steps = commands.find(({ file }) => file.endsWith('steps_avx2.cpp'))
      if (process.arch === 'x64') expect(steps?.command).toContain('-mavx2')
    },
  )
})
