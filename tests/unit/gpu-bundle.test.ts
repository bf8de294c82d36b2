import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeGpuBundle } from '../../scripts/lib/gpu-bundle.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpu bundle '))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the bundle for a GPU machine', () => {
  it('holds what is here, names what is not, and its programs start with nothing but Node', async () => {
    const source = join(folder, 'source')
    writeFileSync(source, 'text')
    const target = join(folder, 'bundle')
    const { missing } = await makeGpuBundle(target, () => [
      { from: source, to: 'bin/node', without: 'everything' },
      { from: join(folder, 'nothing'), to: '.native/a.node', without: 'the CUDA engine' },
      { from: null, to: 'lib/b', without: 'oneTBB' },
    ])
    expect(missing).toEqual(['the CUDA engine', 'oneTBB'])
    expect(statSync(join(target, 'bin', 'node')).mode & 0o111).not.toBe(0)
    expect(existsSync(join(target, 'parity.mjs'))).toBe(true)
    const help = execFileSync(process.execPath, [join(target, 'bench.mjs'), '--help'], { encoding: 'utf8' })
    expect(help).toMatch(/--configurations LIST/)
    const listed = execFileSync(process.execPath, [join(target, 'cli.mjs'), 'engines', '--json'], {
      encoding: 'utf8',
    })
    const { engines } = JSON.parse(listed) as { engines: { id: string }[] }
    expect(engines.map(({ id }) => id)).toEqual(['cpu', 'cuda', 'webgpu'])
  })

  it('is made anew over an older one, and never over something else', async () => {
    const target = join(folder, 'bundle')
    await makeGpuBundle(target, () => [])
    writeFileSync(join(target, 'old'), '')
    await makeGpuBundle(target, () => [])
    expect(existsSync(join(target, 'old'))).toBe(false)
    const other = join(folder, 'other')
    mkdirSync(other)
    await expect(makeGpuBundle(other, () => [])).rejects.toThrow(/is no bundle of Centroid Lab/)
  })
})
