import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as table from '@engine/engines'
import { LabError } from '@shared/errors'
import { anotherVariable, type AnotherProcess } from './another-process'
import { withDevices } from './devices-left'
import { runCli } from './run-cli'

/** Iterations that the card carries out before it is lost; it gives one at a time. */
const card = vi.hoisted(() => ({ iterations: 0 }))

vi.mock('@engine/engines', async (original) => {
  const { engines } = await original<typeof table>()
  const { ReferenceSession, referenceEngine } = await import('@tests/parity/reference-engine')
  const cards = ['cuda:0', 'cuda:1'].map((id) => ({ id, name: 'Card', memoryBytes: null, software: false }))
  const cuda: typeof engines.cuda = {
    ...referenceEngine,
    id: 'cuda',
    devices: async () => cards,
    // What several devices share.
    variants: () => [...referenceEngine.variants(), { id: 'fused', deterministic: true, exact: true }],
    group: async (words) =>
      words.includes(',') ? { ...cards[0], id: words, name: '2 × Card', members: words.split(',') } : null,
    open: async (points, config) => {
      const session = new ReferenceSession(points, config)
      const advance = session.advance.bind(session)
      let left = card.iterations
      session.advance = async (_budget, signal) => {
        if (left-- === 0) throw new LabError('engine-lost', 'cuda.lost', 'The driver is gone.')
        return advance({ iterations: 1, milliseconds: 1e9 }, signal)
      }
      return session
    },
  }
  const noGpu: typeof engines.webgpu = { ...engines.webgpu, devices: async () => [] }
  return { engines: { ...engines, cuda, webgpu: noGpu } }
})

const iris = ['cluster', 'examples/iris.csv', '-k', '7', '--stop', 'labels', '--json']
const firstRows = [...iris, '--init', 'first-k']
const onCard = [...firstRows, '--engine', 'cuda']
const goOn = [...onCard, '--on-device-loss', 'continue']
let folder = ''

// What `auto` learns about this machine must not land in the home of whoever runs the tests.
beforeAll(() => {
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache'))
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-loss-'))
})
beforeEach(() => void (card.iterations = 3))
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** @param answer of the person at the terminal; without one there is none. @param another what other processes are */
async function lab(args: readonly string[], answer?: string, another?: AnotherProcess, env = {}) {
  const said = { stdout: '', stderr: '', asked: '' }
  const ask = async (question: string) => ((said.asked += question), answer)
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    ...{ signal: new AbortController().signal, env, ...(answer === undefined ? {} : { ask }) },
    ...(another && { another }),
  })
  const result =
    status === 0 && said.stdout !== '' ? (JSON.parse(said.stdout) as Record<string, unknown>) : null
  return { status, ...said, result }
}

/** Of the one object that --json has on standard error. */
function messageIn(stderr: string): string {
  return (JSON.parse(stderr) as { error: { message: string } }).error.message
}

describe('a device that is lost in the middle of a run', () => {
  it('--on-device-loss continue goes on where it was, and ends as if nothing had happened', async () => {
    const { result, stderr } = await lab(goOn)
    const { result: whole } = await lab([...firstRows, '--engine', 'cpu', '--variant', 'sequential'])
    expect(stderr).toBe(
      'The run was cut off on cuda (Card) after 3 iterations: going on with the cpu engine.\n',
    )
    expect(result?.['iterations']).toBe(whole?.['iterations'])
    expect(result?.['sizes']).toEqual(whole?.['sizes'])
    expect(String(result?.['warnings'])).toMatch(/iterations 1 to 3 on cuda \(Card.*which was lost/)
  })

  it('begins again where no iteration was made', async () => {
    card.iterations = 0
    const { result, stderr } = await lab(goOn)
    expect(stderr).toMatch(/before its first iteration: beginning again with the cpu engine\.\n$/)
    expect(result?.['engine']).toBe('cpu')
    // A regime that was named is one of the engine that is gone.
    const named = await lab([...goOn, '--regime', 'message-passing'])
    expect(named.result).toMatchObject({ engine: 'cpu', regime: 'tiled' })
  })

  it('ends the run where nobody can be asked; its centroids are kept, and go on as initial ones', async () => {
    const { status, stdout, stderr } = await lab([...onCard, '-o', folder])
    const [file] = readdirSync(folder).map((name) => join(folder, name))
    expect([status, stdout]).toEqual([1, ''])
    expect(messageIn(stderr)).toBe(
      `The run was cut off on cuda (Card) after 3 iterations; its centroids are kept in ${file}, from where --centroids goes on: run it again with --on-device-loss continue, or with --engine cpu.`,
    )
    expect((await lab([...iris, '--engine', 'cpu', '--centroids', file])).status).toBe(0)
    // What a second one reached does not take its place.
    await lab([...onCard, '-o', folder])
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it.each([
    ['', 0],
    ['yes', 0],
    ['n', 1],
  ])('asks at a terminal: %j', async (answer, status) => {
    const { asked, ...said } = await lab(onCard, answer)
    expect(asked).toBe(
      'The run was cut off on cuda (Card) after 3 iterations: go on with the cpu engine? [Y/n] ',
    )
    expect(said.status).toBe(status)
  })

  it('asks nothing with --on-device-loss stop', async () => {
    const { status, asked } = await lab([...onCard, '--on-device-loss', 'stop'], 'y')
    expect([status, asked]).toEqual([1, ''])
  })
})

/** Another process: which cards it finds, and what it is asked to do. */
function processes(found: readonly string[]) {
  const asked: (readonly string[])[] = []
  const another: AnotherProcess = async (argv, kept) => {
    if (!kept) asked.push(argv)
    const engines = [
      { id: 'cpu', devices: [{ id: 'cpu' }] },
      { id: 'cuda', devices: found.map((id) => ({ id })) },
    ]
    return { status: 0, stdout: kept ? JSON.stringify({ engines }) : '' }
  }
  return { asked, another }
}

describe('one of several devices that is lost', () => {
  const onTwo = [...goOn, '--device', 'cuda:0,cuda:1']
  const begun = (devices: string) => [...['cluster', '--device', devices], ...[...goOn].slice(1)]

  it('leaves the run to the others, in a process of its own', async () => {
    const { asked, another } = processes(['cuda:0'])
    const { status, stderr, stdout } = await lab(onTwo, undefined, another)
    expect([status, stdout]).toEqual([0, ''])
    expect(asked).toEqual([begun('cuda:0')])
    expect(stderr).toBe(
      'The run was cut off on cuda (2 × Card) after 3 iterations: beginning again on cuda:0 in a process of its own.\n',
    )
  })

  it('is tried again where it is still there, but not twice', async () => {
    const { asked, another } = processes(['cuda:0', 'cuda:1', 'cuda:2'])
    await lab(onTwo, undefined, another)
    expect(asked).toEqual([begun('cuda:0,cuda:1')])
    const { result } = await lab(onTwo, undefined, another, { [anotherVariable]: '1' })
    expect(asked).toHaveLength(1)
    expect(result?.['engine']).toBe('cpu')
  })

  it('leaves it to another engine where none is left, or there was one alone', async () => {
    for (const device of ['cuda:0,cuda:1', 'cuda:0']) {
      const { asked, another } = processes([])
      const { result } = await lab([...goOn, '--device', device], undefined, another)
      expect([asked.length, result?.['engine']]).toEqual([0, 'cpu'])
    }
  })

  it('is asked about at a terminal, and said how to go on without where nobody is', async () => {
    const { asked, another } = processes(['cuda:1'])
    const both = [...onCard, '--device=cuda:0,cuda:1']
    const { status, stderr } = await lab(both, undefined, another)
    expect(status).toBe(1)
    expect(messageIn(stderr)).toMatch(
      /run it again with --on-device-loss continue, or with --device cuda:1\.$/,
    )
    const { asked: question } = await lab(both, 'y', another)
    expect(question).toMatch(/begin again on cuda:1 in a process of its own\? \[Y\/n\] $/)
    expect(asked).toEqual([['cluster', '--device', 'cuda:1', ...onCard.slice(1)]])
  })

  it('is left out of the arguments, however it was named', () => {
    expect(withDevices(['cluster', 'a.csv', '--device', 'all', '-k', '3'], ['cuda:0', 'cuda:2'])).toEqual([
      ...['cluster', '--device', 'cuda:0,cuda:2', 'a.csv', '-k', '3'],
    ])
    expect(withDevices(['cluster', '--device=all', 'a.csv'], ['cuda:0'])).toEqual([
      ...['cluster', '--device', 'cuda:0', 'a.csv'],
    ])
  })
})
