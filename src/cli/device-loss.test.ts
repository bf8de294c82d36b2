import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as table from '@engine/engines'
import { LabError } from '@shared/errors'
import { runCli } from './run-cli'

/** Iterations that the card carries out before it is lost; it gives one at a time. */
const card = vi.hoisted(() => ({ iterations: 0 }))

vi.mock('@engine/engines', async (original) => {
  const { engines } = await original<typeof table>()
  const { ReferenceSession, referenceEngine } = await import('@tests/parity/reference-engine')
  const cuda: typeof engines.cuda = {
    ...referenceEngine,
    id: 'cuda',
    devices: async () => [{ id: 'cuda:0', name: 'Card', memoryBytes: null, software: false }],
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

/** @param answer of the person at the terminal; without one there is none */
async function lab(args: readonly string[], answer?: string) {
  const said = { stdout: '', stderr: '', asked: '' }
  const ask = async (question: string) => ((said.asked += question), answer)
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    ...{ signal: new AbortController().signal, env: {}, ...(answer === undefined ? {} : { ask }) },
  })
  const result = status === 0 ? (JSON.parse(said.stdout) as Record<string, unknown>) : null
  return { status, ...said, result }
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
    expect(stderr).toBe(
      `The run was cut off on cuda (Card) after 3 iterations; its centroids are kept in ${file}, from where --centroids goes on: run it again with --on-device-loss continue, or with --engine cpu.\n`,
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
