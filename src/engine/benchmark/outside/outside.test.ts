import type { Coordinates } from '@engine/engines/engine'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'
import { outsideSystems, type OutsideSystem } from '@shared/benchmark/suite'
import type { StopRule } from '@shared/run-config'
import { pythonRunner } from '.'
import { Interpreters } from './interpreters'
import type { OutsideJob } from './outside'

const never = new AbortController().signal

/** Two groups of points on whole numbers, far apart; the start is one point of each. */
function job(stop: StopRule = 'none', maxIterations = 4, n = 40): OutsideJob {
  const x = Float32Array.from(
    { length: 2 * n },
    (_, i) => ((i >> 1) % 2 === 0 ? 1 : 65) + (((i >> 1) * 7 + i) % 5),
  )
  return {
    points: { x, n, d: 2, maxAbs: Float32Array.of(70, 70) },
    k: 2,
    initialCentroids: x.slice(0, 4),
    config: { stop, maxIterations },
    threshold: 0,
  }
}

describe('without the real thing', () => {
  let folder = ''
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'centroid-lab-python-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A python3 that has numpy only, and acts as told once it has been given the points of `job()`. */
  function fake(act: string) {
    const path = join(folder, 'python3')
    const take = `read -r job; head -c ${4 * (80 + 4)} > ${join(folder, 'points')}`
    writeFileSync(path, `#!/bin/sh\n[ $# -gt 4 ] && echo '["9.9", null, null]' && exit\n${take}\n${act}\n`)
    chmodSync(path, 0o755)
    return pythonRunner(new Interpreters({ PATH: folder }, []))
  }

  const nothing = pythonRunner(new Interpreters({ PATH: '' }, []))

  it('says what to install', async () => {
    const reports = await nothing.reports()
    expect(reports.map(({ reason }) => reason)).toEqual([
      'There is no python3 here: install python3-numpy (its name in Debian) to compare with numpy.',
      'There is no python3 here: install python3-sklearn (its name in Debian) to compare with scikit-learn.',
      'There is no python3 here: install python3-scipy (its name in Debian) to compare with scipy.',
    ])
    await expect(nothing.prepare('scipy', job(), never)).rejects.toMatchObject({ kind: 'engine-missing' })
  })

  it('leaves out a python3 that hangs, though what it started holds its output open', async () => {
    const path = join(folder, 'python3')
    writeFileSync(path, '#!/bin/sh\nsleep 60\n')
    chmodSync(path, 0o755)
    const began = performance.now()
    const reports = await pythonRunner(new Interpreters({ PATH: `${folder}:/bin` }, [])).reports()
    expect(performance.now() - began).toBeLessThan(8000)
    const numpy = reports.find(({ system }) => system === 'numpy')
    // Another python3 of the machine may have it.
    if (numpy?.available !== true)
      expect(numpy?.reason).toBe(
        `${path} did not answer within 5 s and is left out: start it by hand to see why, or take it from the PATH.`,
      )
  })

  it('a cancel does not wait for a python3 that hangs', async () => {
    const path = join(folder, 'python3')
    writeFileSync(path, '#!/bin/sh\nsleep 60\n')
    chmodSync(path, 0o755)
    const controller = new AbortController()
    const began = performance.now()
    const hanging = pythonRunner(new Interpreters({ PATH: `${folder}:/bin` }, []))
    const prepared = hanging.prepare('numpy', job(), controller.signal)
    setTimeout(() => controller.abort(), 100)
    await expect(prepared).rejects.toMatchObject({ kind: 'cancelled' })
    expect(performance.now() - began).toBeLessThan(2000)
  })

  it('takes the first python3 that has the module', async () => {
    const [numpy] = await fake('').reports()
    expect(numpy).toEqual({ system: 'numpy', available: true, version: '9.9', reason: null })
  })

  it('a process that dies in a run is one sentence, and so is an error it tells of', async () => {
    const session = await fake(`echo '{}'; read -r run; echo oh >&2; exit 3`).prepare('numpy', job(), never)
    await expect(session.run(never)).rejects.toMatchObject({
      kind: 'engine-lost',
      message: expect.stringMatching(/^numpy could not cluster these points \(its process ended[^\n]*\.$/),
      details: 'oh\n',
    })
    await session.close()
    const failing = fake(`echo '{"error": "MemoryError: too much"}'`)
    await expect(failing.prepare('numpy', job(), never)).rejects.toThrow(
      /\(MemoryError: too much\): leave it out/,
    )
  })

  it('a cancel ends a process that does not listen', measuresTime, async () => {
    const session = await fake(`echo '{}'; exec sleep 60`).prepare('numpy', job(), never)
    const controller = new AbortController()
    const running = session.run(controller.signal)
    const began = performance.now()
    controller.abort()
    await expect(running).rejects.toMatchObject({ kind: 'cancelled' })
    await session.close()
    expect(performance.now() - began).toBeLessThan(2000)
  })
})

const real = pythonRunner(new Interpreters())
const reports = await real.reports()
const absent = reports.flatMap(({ reason }) => reason ?? [])
if (absent.length > 0) console.warn(`SKIPPED: ${absent.join(' ')}`)
const there = outsideSystems.filter((system) => reports.find((one) => one.system === system)?.available)

describe.skipIf(there.length === 0)('with the python3 of this machine', () => {
  it.each(there)('%s clusters from the start that it is given, again and again', async (system) => {
    const { points, ...rest } = job()
    const session = await real.prepare(system, { points, ...rest }, never)
    const first = await session.run(never)
    const second = await session.run(never)
    await session.close()
    const groups = Array.from({ length: points.n }, (_, i) => i % 2)
    expect([...first.labels]).toEqual(groups)
    expect([...first.centroids]).toEqual(meansOf(points.x, groups))
    expect(first.totalMs).toBeGreaterThan(0)
    // scikit-learn ends where no label changes, whatever it is told.
    expect(first.iterations).toBe(system === 'scikit-learn' ? 2 : 4)
    expect(second.centroids).toEqual(first.centroids)
  })

  it.runIf(there.includes('numpy'))('numpy keeps to every stop rule', async () => {
    const iterations = async (stop: StopRule, system: OutsideSystem = 'numpy') => {
      const session = await real.prepare(system, job(stop, 50), never)
      const run = await session.run(never)
      await session.close()
      return run.iterations
    }
    const rules = ['none', 'relative-shift', 'coordinate-shift', 'inertia', 'labels'] as const
    // The groups stand after the first update; in the second iteration nothing moves.
    expect(await Promise.all(rules.map((rule) => iterations(rule)))).toEqual([50, 2, 2, 2, 2])
  })
})

function meansOf(x: Coordinates, groups: readonly number[]): number[] {
  return [0, 1].flatMap((group) =>
    [0, 1].map((j) => {
      const values = groups.flatMap((own, i) => (own === group ? [x[2 * i + j]] : []))
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }),
  )
}
