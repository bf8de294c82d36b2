import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parseArguments } from './arguments'
import { runCli } from './run-cli'

const folders: string[] = []
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'centroid-lab-regimes-'))
  folders.push(folder)
  const path = join(folder, 'device.json')
  writeFileSync(path, text)
  return path
}

async function said(...argv: string[]) {
  const texts = { out: '', err: '' }
  const stdout = { write: (text: string) => ((texts.out += text), true) }
  const stderr = { write: (text: string) => ((texts.err += text), true) }
  const { signal } = new AbortController()
  const status = await runCli(argv, { stdout, stderr, env: {}, signal } as Parameters<typeof runCli>[1])
  return { status, ...texts }
}

const xeon = { engine: 'cpu', name: 'Xeon', threads: 64, isa: 'avx512' }

interface PlansJson {
  readonly plans: readonly {
    readonly engine: string
    readonly variant: string
    readonly regime: string | null
    readonly reason: string
    readonly predicted_ms: number | null
  }[]
}

describe('engines --regimes', () => {
  it('tells engine, device, variant, regime and reason for a shape on a described device', async () => {
    const facts = fileOf(JSON.stringify(xeon))
    const shape = ['-n', '300000', '-d', '8', '-k', '400', '--device-facts', facts]
    const { status, out } = await said('engines', '--regimes', ...shape)
    expect(status).toBe(0)
    expect(out).toMatch(
      /^engine +device +variant +regime +ms an iteration +points in +memory +device memory +reason\n/,
    )
    expect(out).toMatch(/cpu +Xeon +fused +ordered-boxes .*probe decides\. Else: tiled-scores\./)
    expect(out).toMatch(/cpu +Xeon +sequential +as-studied +- +- +- +- +It has one way only\./)
    const { plans } = JSON.parse((await said('engines', '--regimes', ...shape, '--json')).out) as PlansJson
    expect(plans.find(({ variant }) => variant === 'fused')).toMatchObject({
      regime: 'ordered-boxes',
      probe: 'narrow-boxes',
      otherwise: 'tiled-scores',
    })
  })

  it('tells the time of an iteration, more of more points', async () => {
    const ask = async (n: number) => {
      const shape = ['-n', String(n), '-d', '2', '-k', '5']
      const { out } = await said('engines', '--regimes', ...shape)
      const { plans } = JSON.parse((await said('engines', '--regimes', ...shape, '--json')).out) as PlansJson
      const msOf = (id: string) =>
        plans.find(({ engine, variant }) => engine === 'cpu' && variant === id)?.predicted_ms ?? NaN
      return { out, fused: msOf('fused'), openmp: msOf('openmp') }
    }
    const [small, large] = [await ask(1000), await ask(10_000_000)]
    expect(small.out).toMatch(/\ncpu +cpu +fused +tiled +[\d.]+ +memory +\d+ MiB +- +Below 32 centroids/)
    expect(small.fused).toBeGreaterThan(0)
    expect(large.fused).toBeGreaterThan(small.fused)
    expect(large.openmp).toBeGreaterThan(small.openmp)
  })

  it('lists every regime with what it does where no shape is given', async () => {
    const { out } = await said('engines', '--regimes')
    expect(out).toMatch(/cpu +fused +ordered-boxes +Boxes of ordered points/)
  })

  it('says in one sentence what is wrong with a file of facts', async () => {
    const shape = ['-n', '10', '-d', '2', '-k', '3']
    const sentence = async (text: string) =>
      (await said('engines', '--regimes', ...shape, '--device-facts', fileOf(text))).err
    expect(await sentence('{')).toMatch(/device\.json is no JSON/)
    expect(await sentence(JSON.stringify({ ...xeon, isa: 'mmx' }))).toMatch(
      /describes no device \(at isa\): write one like those/,
    )
    const missing = await said('engines', '--regimes', ...shape, '--device-facts', '/none.json')
    expect(missing.err).toMatch(/\/none\.json cannot be read/)
    expect(missing.status).not.toBe(0)
  })

  it('understands its options only together', () => {
    const parse = (text: string) => () => parseArguments(text.split(' '))
    expect(parse('engines -n 5')).toThrow(/--regimes with it for -n/)
    expect(parse('engines --regimes -n 5')).toThrow(/-n, -d and -k together/)
    expect(parse('engines --regimes --device-facts a.json')).toThrow(/the shape/)
    expect(parse('engines --regimes -n 5 -d 2 -k 9')).toThrow(/at most 5 points for -k/)
    expect(parse('engines --json')()).toEqual({ kind: 'engines', json: true })
  })
})

describe('cluster --regime', () => {
  const iris = ['cluster', 'examples/iris.csv', '-k', '3', '--engine', 'cpu', '--json', '--variant', 'fused']

  it('runs the regime that is named, and the result says so', async () => {
    const { out } = await said(...iris, '--regime', 'ordered-boxes')
    expect(JSON.parse(out)).toMatchObject({ variant: 'fused', regime: 'ordered-boxes' })
  })

  it('refuses what the regime cannot do in one sentence', async () => {
    const { status, err } = await said(...iris, '--regime', 'projected-scores')
    expect(status).toBe(2)
    expect(err).toMatch(
      /The regime 'projected-scores' of 'fused' cannot run on .*: Projections need 17 features or more\./,
    )
  })
})
