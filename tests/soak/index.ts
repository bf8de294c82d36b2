/**
 * npm run soak -- [--runs N]
 * Many short runs through one engine host, files opened and closed between them: the memory, the descriptors and the threads of the
 * host must not grow.
 */
import { EventEmitter, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultRunConfig } from '@shared/run-config'
import type { RunEvent } from '@shared/ipc'
import { EngineProcess } from '../../src/main/engine-process'

/** What a host holds; memory in MiB. */
interface Held {
  readonly memory: number
  readonly descriptors: number
  readonly threads: number
}

const runsOnAFile = 25
/** Of all runs: compiled code, pools and caches fill first. */
const warmUp = 0.2
/** What the records of the session's runs may take, besides noise of the allocator. */
const maxGrowth = { memory: 40, descriptors: 4, threads: 2 } as const
const variants = ['fused', 'openmp', 'sequential'] as const

const { values } = parseArgs({ options: { runs: { type: 'string' } } })
const runs = Number(values.runs ?? 10_000)
if (!Number.isSafeInteger(runs) || runs < 100) {
  console.error('Expected --runs to be a whole number from 100: correct it.')
  process.exit(2)
}

const folder = await mkdtemp(join(tmpdir(), 'centroid-lab-soak-'))
const ends = new EventEmitter()
let pid = 0
let deaths = 0
const engine = new EngineProcess({
  node: process.execPath,
  script: resolve('out/main/host.js'),
  env: () => process.env,
  spool: join(folder, 'results'),
  benchmarks: null,
  onEvent({ channel, payload }) {
    if (channel !== 'run.event') return
    const event = payload as RunEvent
    if (event.kind === 'done' || event.kind === 'failed' || event.kind === 'cancelled')
      ends.emit('end', event)
  },
  onState(state) {
    if (state.state === 'ready') pid = state.pid
    if (state.state === 'lost') deaths++
  },
})

try {
  process.exitCode = await soak()
} finally {
  engine.stop()
  await rm(folder, { recursive: true, force: true })
}

async function soak(): Promise<number> {
  const samples: (Held & { readonly run: number })[] = []
  let datasetId = await open()
  for (let run = 1; run <= runs; run++) {
    await oneRun(datasetId, run)
    if (run % runsOnAFile === 0) {
      await engine.close(datasetId)
      datasetId = await open()
    }
    if (run % Math.ceil(runs / 20) !== 0) continue
    const held = heldBy(pid)
    samples.push({ run, ...held })
    console.log(`${run} runs: ${held.memory} MiB, ${held.descriptors} descriptors, ${held.threads} threads`)
  }
  return judge(samples)
}

async function open(): Promise<string> {
  return (await engine.open(resolve('examples/iris.csv'), {})).id
}

/** Every fourth run is cancelled as soon as it began. */
async function oneRun(datasetId: string, run: number): Promise<void> {
  const ended = once(ends, 'end') as Promise<[RunEvent]>
  const config = {
    ...defaultRunConfig,
    engine: 'cpu',
    variant: variants[run % variants.length],
    seed: run,
  } as const
  const { runId } = await engine.request('run.start', {
    datasetId,
    config: { ...config, history: run % 2 === 0 },
  })
  if (run % 4 === 0) await engine.request('run.cancel', { runId })
  const [event] = await ended
  if (event.kind === 'failed') throw new Error(event.error.message)
  if (event.kind === 'done' && run % 5 === 0) {
    await engine.request('run.labels', { runId, start: 0, count: 150 })
    await engine.request('run.forget', { runId })
  }
}

function heldBy(process: number): Held {
  const status = readFileSync(`/proc/${process}/status`, 'utf8')
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  const descriptors = readdirSync(`/proc/${process}/fd`).length
  return { memory: Math.round(number('VmRSS') / 1024), descriptors, threads: number('Threads') }
}

function judge(samples: readonly (Held & { readonly run: number })[]): number {
  const first = samples.find(({ run }) => run >= warmUp * runs)
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return 1
  const grown = (['memory', 'descriptors', 'threads'] as const).filter(
    (what) => last[what] - first[what] > maxGrowth[what],
  )
  const growth = (['memory', 'descriptors', 'threads'] as const).map(
    (what) => `${what} ${last[what] - first[what]}`,
  )
  console.log(
    `From run ${first.run} to run ${last.run} grew: ${growth.join(', ')}; the host died ${deaths} times.`,
  )
  return grown.length === 0 && deaths === 0 ? 0 : 1
}
