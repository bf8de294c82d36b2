import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ReferenceSession } from '@tests/parity/reference-engine'
import type { Device, EngineId } from '@shared/variant'
import type { Engine } from '../engines/engine'
import { calibrationPath } from './calibration-file'
import { contendersFor, type Choice, type EngineTable } from './contenders'
import { calibrate } from './calibrate'
import { expectedMs, fitRates, type Cost } from './cost-model'
import { predictMs, rank, resolveRun } from './resolve'

const signal = new AbortController().signal
const anything: Choice = { engine: 'auto', device: null, variant: 'auto' }

function fakeEngine(id: EngineId, variants: readonly string[], software: boolean, reason?: string): Engine {
  const device: Device = { id: `${id}:0`, name: `${id} device`, memoryBytes: null, software }
  return {
    id,
    availability: async () => (reason === undefined ? { available: true } : { available: false, reason }),
    devices: async () => [device],
    variants: () =>
      variants.map((name) => ({ id: name, deterministic: !name.startsWith('loose'), exact: true })),
    versions: async () => ({}),
    open: vi.fn<Engine['open']>(async (points, config) => new ReferenceSession(points, config)),
  }
}

const missing = fakeEngine('cuda', [], false, 'There is no CUDA here; choose cpu.')
const both: EngineTable = {
  cpu: fakeEngine('cpu', ['sequential', 'openmp'], false),
  cuda: missing,
  webgpu: fakeEngine('webgpu', ['fused', 'loose-atomics'], true),
}
const noCpu: EngineTable = { ...both, cpu: fakeEngine('cpu', ['openmp'], false, 'The addon was not built.') }

const free: Cost = {
  ...{ onceMs: 0, openMs: 0, openPerCoordinateMs: 0, isRough: false },
  ...{ fixedMs: 0, perCoordinateMs: 0, perProductMs: 0 },
}

const names = async (choice: Choice, table: EngineTable) =>
  (await contendersFor(choice, table)).map(({ engine, variant }) => `${engine.id} ${variant}`)

describe('what may carry out a choice', () => {
  it('leaves software adapters and loose variants out under auto', async () => {
    expect(await names(anything, both)).toEqual(['cpu sequential', 'cpu openmp'])
  })

  it('takes a software adapter when it is all there is', async () => {
    expect(await names(anything, noCpu)).toEqual(['webgpu fused'])
    expect(await names({ ...anything, engine: 'webgpu' }, both)).toEqual(['webgpu fused'])
  })

  it('takes what is named, loose or not, and the engine that has it', async () => {
    expect(await names({ ...anything, variant: 'loose-atomics' }, both)).toEqual(['webgpu loose-atomics'])
    expect(await names({ ...anything, device: 'webgpu:0' }, both)).toEqual(['webgpu fused'])
  })

  it('says why an engine is missing, which variants there are, and which devices', async () => {
    await expect(names({ ...anything, engine: 'cuda' }, both)).rejects.toMatchObject({
      kind: 'engine-missing',
      message: 'The cuda engine cannot be used: There is no CUDA here; choose cpu.',
    })
    await expect(names({ ...anything, engine: 'cpu', variant: 'tbb' }, both)).rejects.toMatchObject({
      kind: 'input',
      message: "There is no variant 'tbb' here: cpu offers sequential, openmp, auto.",
    })
    await expect(names({ ...anything, variant: 'openmp' }, noCpu)).rejects.toMatchObject({
      kind: 'engine-missing',
      message: "The variant 'openmp' needs the cpu engine: The addon was not built.",
    })
    await expect(names({ ...anything, device: 'cuda:7' }, both)).rejects.toMatchObject({
      kind: 'engine-missing',
      message: expect.stringContaining('cpu:0 (cpu device)') as string,
    })
  })
})

describe('what is done before a card is found', () => {
  const small = { ...anything, k: 3 }
  const card = () => {
    const webgpu = fakeEngine('webgpu', ['fused'], false)
    return { ...webgpu, availability: vi.fn(webgpu.availability) }
  }
  const cpu = fakeEngine('cpu', ['fused'], false)

  it('is the processor, and no card is looked for', async () => {
    const webgpu = card()
    const runs = await resolveRun(small, { n: 150, d: 4 }, signal, { ...both, cpu, webgpu })
    expect(runs.map(({ engine }) => engine.id)).toEqual(['cpu'])
    expect(webgpu.availability).not.toHaveBeenCalled()
  })

  it('is a card where one is named, where there is no processor engine, and for more work', async () => {
    const shape = { n: 150, d: 4 }
    const named = await resolveRun({ ...small, engine: 'webgpu' }, shape, signal, {
      ...both,
      cpu,
      webgpu: card(),
    })
    expect(named[0].engine.id).toBe('webgpu')
    const alone = await resolveRun(small, shape, signal, { ...noCpu, webgpu: card() })
    expect(alone[0].engine.id).toBe('webgpu')
    const webgpu = card()
    await contendersFor(small, { ...both, cpu, webgpu })
    expect(webgpu.availability).toHaveBeenCalled()
  })
})

describe('the cost model', () => {
  it('finds the coefficients it was made from', () => {
    const truth = { fixedMs: 0.1, perCoordinateMs: 2e-6, perProductMs: 5e-7 }
    const sample = (n: number, d: number, k: number) => {
      const ms = truth.fixedMs + n * d * (truth.perCoordinateMs + k * truth.perProductMs)
      return { n, d, k, ms }
    }
    const cost = fitRates({ ...sample(1, 1, 1), ms: 0.1 }, sample(2 ** 18, 4, 4), sample(2 ** 16, 8, 64))
    expect(cost.perCoordinateMs).toBeCloseTo(truth.perCoordinateMs, 12)
    expect(cost.perProductMs).toBeCloseTo(truth.perProductMs, 12)
  })

  it('tells what the first session of a kind takes from what every session takes', async () => {
    const seen = new Set<number>()
    const open: Engine['open'] = async (points, config) => {
      // Compiled for each d, as kernels are.
      await new Promise((resolve) => setTimeout(resolve, seen.has(points.d) ? 5 : 150))
      seen.add(points.d)
      return new ReferenceSession(points, config)
    }
    const [run] = await contendersFor(anything, { ...both, cpu: { ...both.cpu, open } })
    const cost = await calibrate(run, 100, signal, true)
    expect(cost.onceMs).toBeGreaterThan(100)
    expect(cost.openMs).toBeGreaterThanOrEqual(4)
    expect(cost.openMs).toBeLessThan(75)
  })

  it('takes what a larger problem compiles for no cost of its points', async () => {
    const seen = new Set<number>()
    const open: Engine['open'] = async (points, config) => {
      // Another regime for each size, as kernels of small and of many points are.
      await new Promise((resolve) => setTimeout(resolve, seen.has(points.n) ? 5 : 150))
      seen.add(points.n)
      return new ReferenceSession(points, config)
    }
    const [run] = await contendersFor(anything, { ...both, cpu: { ...both.cpu, open } })
    const cost = await calibrate(run, 2000, signal, true)
    expect(seen.size).toBeGreaterThan(3)
    expect(cost.onceMs).toBeGreaterThan(100)
    expect(cost.openMs + 2 ** 17 * cost.openPerCoordinateMs).toBeLessThan(100)
  })

  it('prefers low overhead for small problems and high rates for large ones', async () => {
    const [small, large] = await contendersFor(anything, both)
    const costs = {
      'cpu|cpu:0|cpu device|sequential': { ...free, perCoordinateMs: 1e-6, perProductMs: 1e-5 },
      'cpu|cpu:0|cpu device|openmp': { ...free, openMs: 5, fixedMs: 0.5, perProductMs: 1e-7 },
    }
    expect(rank([small, large], costs, { n: 150, d: 4, k: 3 })[0]).toBe(small)
    expect(rank([small, large], costs, { n: 1e6, d: 8, k: 400 })[0]).toBe(large)
    expect(expectedMs(costs['cpu|cpu:0|cpu device|openmp'], { n: 1, d: 1, k: 1 })).toBeGreaterThan(10)
  })
})

describe('ours and the exhibits', () => {
  const table: EngineTable = {
    ...both,
    cpu: fakeEngine('cpu', ['sequential', 'openmp', 'fused'], false),
    cuda: missing,
  }
  const cost = { ...free, openMs: 1, fixedMs: 0.1, perCoordinateMs: 1e-6, perProductMs: 1e-7 }

  it('leaves the exhibits to who asks for them', async () => {
    const offered = await contendersFor({ ...anything, engine: 'cpu' }, table)
    expect(offered.map(({ variant }) => variant)).toEqual(['fused'])
    const asked = await contendersFor({ ...anything, engine: 'cpu', variant: 'openmp' }, table)
    expect(asked.map(({ variant }) => variant)).toEqual(['openmp'])
  })

  it('expects less of brute force where most distances are left out', async () => {
    const [fused, openmp] = ['fused', 'openmp'].map((variant) => ({
      engine: table.cpu,
      device: { id: 'cpu:0', name: 'cpu device', memoryBytes: null, software: false },
      variant,
    }))
    const costs = { 'cpu|cpu:0|cpu device|fused': cost, 'cpu|cpu:0|cpu device|openmp': cost }
    const shareOf = (n: number, d: number, k: number) =>
      predictMs(fused, costs, { n, d, k })! / predictMs(openmp, costs, { n, d, k })!
    expect(shareOf(1_000_000, 2, 100)).toBeCloseTo(0.3)
    expect(shareOf(1_000_000, 8, 10)).toBe(1)
    expect(shareOf(150, 4, 3)).toBe(1)
  })

  it('says what became of a variant that there is no more', async () => {
    const choice = { ...anything, variant: 'pruned' }
    await expect(contendersFor(choice, table)).rejects.toMatchObject({
      kind: 'input',
      message:
        "The variant 'pruned' became part of 'fused', which takes its kernels where they pay: choose fused.",
    })
  })
})

describe('the calibration file', () => {
  let folder = ''
  const shape = { n: 150, d: 4 }
  const opened = (table: EngineTable) => vi.mocked(table.cpu.open).mock.calls.length
  const fresh = (): EngineTable => ({ ...both, cpu: fakeEngine('cpu', ['sequential', 'openmp'], false) })

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'centroid-lab-auto-'))
    vi.stubEnv('CENTROID_LAB_CACHE_DIR', folder)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })

  it('is measured once, kept, and asked afterwards', async () => {
    const table = fresh()
    const choice = { ...anything, k: 3 }
    const first = await resolveRun(choice, shape, signal, table)
    const kept = await readFile(calibrationPath(), 'utf8')
    expect(Object.keys((JSON.parse(kept) as { costs: object }).costs)).toHaveLength(2)
    const after = opened(table)
    expect(after).toBeGreaterThan(0)
    const again = await resolveRun(choice, shape, signal, table)
    expect(again.map(({ variant }) => variant)).toEqual(first.map(({ variant }) => variant))
    expect(opened(table)).toBe(after)
  })

  it('is read by a later process, and decides', async () => {
    const slow = { ...free, fixedMs: 9 }
    const table = fresh()
    await resolveRun({ ...anything, k: 3 }, shape, signal, table)
    const content = JSON.parse(await readFile(calibrationPath(), 'utf8')) as { costs: Record<string, object> }
    content.costs['cpu|cpu:0|cpu device|sequential'] = slow
    content.costs['cpu|cpu:0|cpu device|openmp'] = { ...slow, fixedMs: 1 }
    await writeFile(calibrationPath(), JSON.stringify(content))
    vi.resetModules()
    const later = await import('./resolve')
    const untouched = fresh()
    const [best] = await later.resolveRun({ ...anything, k: 3 }, shape, signal, untouched)
    expect(best.variant).toBe('openmp')
    expect(opened(untouched)).toBe(0)
  })

  it('is made anew when it is damaged', async () => {
    await writeFile(calibrationPath(), '{"format": 2, "costs": [')
    const table = fresh()
    await resolveRun({ ...anything, k: 3 }, shape, signal, table)
    expect(opened(table)).toBeGreaterThan(0)
    expect(JSON.parse(await readFile(calibrationPath(), 'utf8'))).toMatchObject({ format: 2 })
  })

  it('is not needed: where it cannot be written, the choice is made all the same', async () => {
    await writeFile(join(folder, 'file'), '')
    vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(folder, 'file', 'below'))
    expect(await resolveRun({ ...anything, k: 3 }, shape, signal, fresh())).toHaveLength(2)
  })

  it('is given up at once on a cancel, though an engine does not answer', async () => {
    const table = fresh()
    table.cpu.open = () => new Promise(() => undefined)
    const controller = new AbortController()
    const choosing = resolveRun({ ...anything, k: 3 }, shape, controller.signal, table)
    setTimeout(() => controller.abort(), 20)
    await expect(choosing).rejects.toMatchObject({ kind: 'cancelled' })
  })

  it('is not made when nothing is left to choose', async () => {
    const table = fresh()
    await resolveRun({ engine: 'cpu', device: null, variant: 'openmp', k: 3 }, shape, signal, table)
    expect(opened(table)).toBe(0)
  })
})
