import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { suiteOf } from '@engine/benchmark/testing/fakes'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { defaultGeneratorSpec } from '@shared/generator'
import { measuresTime } from '@shared/testing/measures-time'
import { runCli } from './run-cli'

let folder = ''
let file = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-limit-'))
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', folder)
  file = join(folder, 'SUITE.json')
  const small = suiteOf(['sequential', 'fused'], { repeats: 2, maxCellSeconds: 1.5 })
  const suite = {
    ...small,
    cases: [{ dataset: { kind: 'generated', spec: manyPoints, name: 'blobs' }, k: [64] }],
    config: { ...small.config, maxIterations: 400 },
  }
  writeFileSync(file, JSON.stringify(suite))
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** An iteration of `sequential` takes 10 ms or more, and 400 of them longer than the limit. */
const manyPoints = { ...defaultGeneratorSpec, shape: 'blobs', n: 60_000, d: 4, k: 64 } as const

async function bench(...args: readonly string[]) {
  const said = { stdout: '', stderr: '' }
  const status = await runCli(['bench', file, ...args], {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { isTTY: false, columns: 200, write: (text) => (said.stderr += text) },
    signal: new AbortController().signal,
    env: {},
  })
  return { status, ...said }
}

describe('bench with a limit of each cell', () => {
  it('plans what it cuts, makes that, and marks what it comes to', measuresTime, async () => {
    const { stdout: planned } = await bench('--plan')
    expect(planned).toMatch(
      /cpu\/sequential +\S+ s: \d+ of 400 iterations, 1 of 2 repeats, no warm-up +.*\n.*cpu\/fused +\d+ ms /,
    )
    expect(planned).toContain(
      'Limit of 1.5 s a cell: 1 cell with fewer runs or iterations, 0 cells not run.\n',
    )
    const out = join(folder, 'out')
    const { status, stdout } = await bench('-o', out, '--force')
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /cpu\/sequential +as-studied +1 +≈ \d+ .* \d+ of 400 .* not compared: \d+ of 400 iterations /,
    )
    expect(stdout).toMatch(/cpu\/fused .* 400 .* ≈ ~\d.* 100 % /)
    const document = JSON.parse(readFileSync(join(out, 'benchmark.json'), 'utf8')) as BenchmarkDocument
    const [{ scaledFrom, totalsMs, perIterationMs, iterations }] = document.rows
    expect(iterations).toBe(400)
    expect(totalsMs[0]).toBeGreaterThan(400 * (perIterationMs ?? Infinity))
    // What it took is within the limit, prediction and all.
    expect(scaledFrom?.totalsMs[0]).toBeLessThan(3000)
  })

  it('does not run what does not fit at all, and says so in its cell', async () => {
    const { status, stdout, stderr } = await bench('--max-cell-seconds', '0.001', '--markdown')
    expect(status).not.toBe(0)
    expect(stderr).toMatch(/No contender was measured, the first because: Not run: /)
    expect(stdout).toMatch(/\| not run: \d[\d.]* (?:s|min) predicted on 1 thread \|/)
  })
})
