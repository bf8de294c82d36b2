/** The window's end of the worker that resamples times. It starts with the first request and lives as long as the window. */
import { LabError } from '@shared/errors'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { toRaw } from 'vue'
import type { BenchmarkStatistics, StatisticsAnswer, StatisticsRequest } from './statistics'

const failed = (reason: string): LabError =>
  new LabError(
    'internal',
    'benchmark.statistics',
    'The speed-ups of the comparison could not be computed; open the comparison again.',
    reason,
  )

interface Waiting {
  resolve(statistics: BenchmarkStatistics): void
  reject(thrown: LabError): void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | null = null
let asked = 0

function settle(answer: StatisticsAnswer): void {
  const one = waiting.get(answer.id)
  waiting.delete(answer.id)
  if (answer.ok) one?.resolve(answer.statistics)
  else one?.reject(failed(answer.reason))
}

function start(): Worker {
  const started = new Worker(new URL('./statistics.worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<StatisticsAnswer>) => settle(data))
  started.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(failed(message))
    waiting.clear()
    worker = null
  })
  return started
}

function compute(document: BenchmarkDocument, baseline: string): Promise<BenchmarkStatistics> {
  // Times of single iterations, up to a thousand a row, say nothing here, and copying them would hold up the window.
  const rows = document.rows.map((row) => ({ ...row, iterationTimes: [] }))
  const request: StatisticsRequest = { id: ++asked, document: { ...document, rows }, baseline }
  return new Promise((resolve, reject) => {
    waiting.set(request.id, { resolve, reject })
    worker ??= start()
    worker.postMessage(request)
  })
}

/** By document, then by baseline: several plots ask for the same. */
const known = new WeakMap<BenchmarkDocument, Map<string, Promise<BenchmarkStatistics>>>()

/** Speed-ups and crossovers with their intervals. Rejects with a LabError. */
export function statisticsFor(document: BenchmarkDocument, baseline: string): Promise<BenchmarkStatistics> {
  const own = toRaw(document)
  const byBaseline = known.get(own) ?? new Map<string, Promise<BenchmarkStatistics>>()
  known.set(own, byBaseline)
  const found = byBaseline.get(baseline) ?? compute(own, baseline)
  byBaseline.set(baseline, found)
  // What failed is computed anew when it is asked for again.
  found.catch(() => byBaseline.delete(baseline))
  return found
}
