/**
 * A run of points that are made in memory, as many as it holds, resident on a GPU and streamed through it: what each phase takes, the
 * memory, and the hash of the result.
 *   node billion/main.js [--n 1000000000] [--d 8] [--k 200] [--iterations 12] [--device cuda:0] [--device-memory SIZE,SIZE]
 * Of --device-memory each size is a run of its own, "all" takes what is free. Prints a line of JSON a run.
 */
import { freemem } from 'node:os'
import { parseArgs } from 'node:util'
import type { Points, SessionConfig } from '@engine/engines/engine'
import { cudaEngine } from '@engine/engines/cuda'
import { loadCpuAddon } from '@engine/engines/native'
import { limitNames } from '@engine/memory'
import { planRun, regimeConfig } from '@engine/plan/plan-run'
import { finalPass } from '@engine/run/final-pass'
import { resultHash } from '@engine/run/result-hash'
import { toErrorReport } from '@shared/errors'

const gibibyte = 2 ** 30
/** Coordinates are multiples of one over this, from -1/2 on: float32 holds them. */
const steps = 2 ** 24
const never = new AbortController().signal

const { values: asked } = parseArgs({
  options: {
    n: { type: 'string', default: '1000000000' },
    d: { type: 'string', default: '8' },
    k: { type: 'string', default: '200' },
    iterations: { type: 'string', default: '12' },
    device: { type: 'string', default: 'cuda:0' },
    'device-memory': { type: 'string', default: 'all' },
  },
})

process.exitCode = await main().catch((error: unknown) => {
  console.error(toErrorReport(error).message)
  return 1
})
// A driver may keep threads alive.
process.exit()

async function main(): Promise<number> {
  const [n, d, k, iterations] = [asked.n, asked.d, asked.k, asked.iterations].map(Number)
  const [points, fillMs] = await timed(() => uniformPoints(n, d))
  console.log(JSON.stringify({ n, d, k, fill_ms: fillMs, ...memory() }))
  const hashes = new Set<string>()
  for (const size of asked['device-memory'].split(',')) {
    if (size === 'all') delete process.env[limitNames.deviceMemory]
    else process.env[limitNames.deviceMemory] = size
    hashes.add(await measure(points, k, iterations, size))
  }
  if (hashes.size > 1) console.error('The results are not the same bytes.')
  return hashes.size > 1 ? 1 : 0
}

async function measure(points: Points, k: number, iterations: number, deviceMemory: string): Promise<string> {
  const { n, d, x } = points
  const config: SessionConfig = {
    ...{ variant: 'fused', k, stop: 'none', threshold: 0, empty: 'keep', timing: 'total', iterations },
    ...{ trackChanged: false, trackInertia: false, trackCentroids: false, workers: null },
  }
  const { device } = asked
  const planned = await planRun(
    { engine: cudaEngine, device: { id: device }, variant: 'fused' },
    { n, d, k },
    config,
    null,
  )
  const [session, openMs] = await timed(() =>
    cudaEngine.open(points, { ...config, ...regimeConfig(planned) }, device),
  )
  const start = new Float32Array(k * d)
  const apart = Math.floor(n / k)
  for (let c = 0; c < k; c++) start.set(x.subarray(c * apart * d, (c * apart + 1) * d), c * d)
  await session.start(start)
  const each: number[] = []
  while (each.length < iterations) {
    const [done, ms] = await timed(() => session.advance({ iterations: 1, milliseconds: Infinity }, never))
    each.push(...done.map(() => ms / done.length))
  }
  const opened = memory()
  const [{ labels, centroids }, readMs] = await timed(() => session.read())
  const { plan, warnings } = session
  await session.close()
  const [{ inertia }, finalMs] = await timed(() => finalPass(points, centroids, labels, never))
  const [hash, hashMs] = await timed(() =>
    resultHash({ n, d, iterations, labels, centroids, inertia }, never),
  )
  const report = {
    ...{ device_memory: deviceMemory, regime: plan?.regime, reason: plan?.reason, warnings },
    ...{ open_ms: openMs, iteration_ms: each, best_iteration_ms: Math.min(...each), read_ms: readMs },
    ...{ final_ms: finalMs, hash_ms: hashMs, inertia, result_sha256: hash, ...opened },
  }
  console.log(JSON.stringify(report))
  return hash
}

/** Noise anywhere in a cube about 0, by all threads. */
async function uniformPoints(n: number, d: number): Promise<Points> {
  const uniformRows = loadCpuAddon().addon?.uniformRows
  if (uniformRows === undefined) throw new Error('The CPU engine, which makes the points, is missing.')
  const x = new Float32Array(n * d)
  const scales = new Float64Array(d).fill(2 ** -32)
  await uniformRows(1, 1, 0, scales, new Float64Array(d).fill(steps), x, 0.5)
  return { x, n, d, maxAbs: new Float32Array(d).fill(0.5) }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now()
  const done = await work()
  return [done, Math.round((performance.now() - began) * 100) / 100]
}

function memory() {
  const { rss, arrayBuffers } = process.memoryUsage()
  const gib = (bytes: number) => Math.round((bytes / gibibyte) * 100) / 100
  return { rss_gib: gib(rss), array_buffers_gib: gib(arrayBuffers), free_gib: gib(freemem()) }
}
