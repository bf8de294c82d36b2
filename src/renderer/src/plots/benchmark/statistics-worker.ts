/** The window's end of the worker that resamples times. It starts with the first request and lives as long as the window. */
import { cellId, rowsByCell } from '@shared/benchmark/cells'
import type { BenchmarkDocument, Measurement, PlannedCell } from '@shared/benchmark/document'
import type { Speedup } from '@shared/benchmark/speedups'
import { LabError } from '@shared/errors'
import { toRaw } from 'vue'
import {
  partLength,
  type Ratio,
  type StatisticsAnswer,
  type StatisticsRequest,
  type Sweep,
} from './statistics'
import { t } from '@/i18n'

const failed = (reason: string): LabError =>
  new LabError('internal', 'benchmark.statistics', t('benchmark.theSpeedUpsOfTheComparison'), reason)

/** What came of an answer so far. */
interface Waiting {
  readonly ratios: Ratio[]
  readonly sweeps: Sweep[]
  resolve(): void
  reject(thrown: LabError): void
}

const waiting = new Map<number, Waiting>()
let worker: Worker | null = null
/** What the worker has: rows of one document, by cell. */
interface Held {
  readonly documentId: string
  /** Names it to the worker. */
  readonly key: string
  readonly rows: Map<string, Measurement>
}
let held: Held | null = null
let sessions = 0
let asked = 0
/** Requests are sent one after the other, each with the rows it needs. */
let line: Promise<unknown> = Promise.resolve()

function resolveRequest(answer: StatisticsAnswer): void {
  const one = waiting.get(answer.id)
  if (answer.kind === 'ratios') return void one?.ratios.push(...answer.ratios)
  if (answer.kind === 'sweep') return void one?.sweeps.push(answer.sweep)
  waiting.delete(answer.id)
  if (answer.kind === 'end') one?.resolve()
  else one?.reject(failed(answer.reason))
}

function start(): Worker {
  const started = new Worker(new URL('./statistics.worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<StatisticsAnswer>) => resolveRequest(data))
  started.addEventListener('error', ({ message }) => {
    for (const { reject } of waiting.values()) reject(failed(message))
    waiting.clear()
    worker = null
    held = null
  })
  return started
}

const post = (request: StatisticsRequest): void => (worker ??= start()).postMessage(request)
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** What the worker has of a document; nothing where it has rows that are not in it. */
function heldFor({ id, rows }: BenchmarkDocument): Held {
  const present = rowsByCell(rows)
  const isOlder = held?.documentId === id && [...held.rows.keys()].every((cell) => present.has(cell))
  return held !== null && isOlder ? held : { documentId: id, key: `${id} ${++sessions}`, rows: new Map() }
}

/** Sends what the worker lacks, a part at a time: copying all rows of a long comparison at once would hold up the window. */
async function feed(document: BenchmarkDocument): Promise<void> {
  // Who asks about a long comparison draws it first.
  if (document.rows.length > partLength) await nextTurn()
  const { key, rows: known } = (held = heldFor(document))
  const lacking = document.rows.filter((row) => known.get(cellId(row)) !== row)
  for (let at = 0; at < lacking.length; at += partLength) {
    if (at > 0) await nextTurn()
    const part = lacking.slice(at, at + partLength)
    // Phases and single iterations, up to a thousand a row, say nothing here.
    post({
      kind: 'rows',
      documentId: key,
      rows: part.map((row) => ({ ...row, phases: null, iterationTimes: [] })),
    })
    for (const row of part) known.set(cellId(row), row)
  }
}

/** The document without what the worker has or needs not: of the plan, who takes part. */
function headOf(document: BenchmarkDocument): BenchmarkDocument {
  const contenders = new Map<string, PlannedCell>()
  for (const cell of document.plan) if (!contenders.has(cell.contender)) contenders.set(cell.contender, cell)
  return { ...document, plan: [...contenders.values()], rows: [] }
}

function compute(
  document: BenchmarkDocument,
  what: { readonly kind: 'speedups'; readonly baseline: string } | { readonly kind: 'sweeps' },
): Promise<Waiting> {
  const id = ++asked
  return new Promise((resolve, reject) => {
    const one: Waiting = { ratios: [], sweeps: [], resolve: () => resolve(one), reject }
    const send = async () => {
      await feed(document)
      waiting.set(id, one)
      post({ ...what, id, document: headOf(document) })
    }
    line = line.then(send).catch((thrown: unknown) => reject(failed(String(thrown))))
  })
}

const latest = new WeakMap<Measurement, Speedup>()

/** Of the window's own row; the same as before where nothing changed, so that nobody draws it anew. */
function speedupOf(
  row: Measurement,
  baseline: string,
  { speedup, interval, reason, scaled }: Ratio,
): Speedup {
  const before = latest.get(row)
  const isSame =
    before?.baseline === baseline &&
    before.speedup === speedup &&
    before.reason === reason &&
    before.scaled === scaled &&
    before.interval?.low === interval?.low &&
    before.interval?.high === interval?.high
  if (before !== undefined && isSame) return before
  const made = { row, baseline, speedup, interval, reason, scaled }
  latest.set(row, made)
  return made
}

async function computeSpeedups(document: BenchmarkDocument, baseline: string): Promise<readonly Speedup[]> {
  const { ratios } = await compute(document, { kind: 'speedups', baseline })
  const found = new Map<string, Ratio>()
  const speedups: Speedup[] = []
  await inTurns(ratios, (ratio) => void found.set(ratio.cell, ratio))
  await inTurns(document.rows, (row) => {
    const ratio = found.get(cellId(row))
    if (ratio !== undefined) speedups.push(speedupOf(row, baseline, ratio))
  })
  return speedups
}

/** Items between two turns of the window. */
const itemsOfTurn = 500

async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  for (let at = 0; at < items.length; at += itemsOfTurn) {
    if (at > 0) await nextTurn()
    items.slice(at, at + itemsOfTurn).forEach(work)
  }
}

/** Several plots ask for the same; what failed is computed anew when it is asked for again. */
function once<T>(known: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? work()
  known.set(key, found)
  found.catch(() => known.delete(key))
  return found
}

const knownSpeedups = new WeakMap<BenchmarkDocument, Map<string, Promise<readonly Speedup[]>>>()
const knownSweeps = new WeakMap<BenchmarkDocument, Map<string, Promise<readonly Sweep[]>>>()

/** Speed-ups to a baseline with their intervals, an entry for each row. Rejects with a LabError. */
export function speedupsFor(document: BenchmarkDocument, baseline: string): Promise<readonly Speedup[]> {
  const own = toRaw(document)
  const known = knownSpeedups.get(own) ?? new Map<string, Promise<readonly Speedup[]>>()
  knownSpeedups.set(own, known)
  return once(known, baseline, () => computeSpeedups(own, baseline))
}

/** Sweeps over N, d and k with their crossovers. Rejects with a LabError. */
export function sweepsFor(document: BenchmarkDocument): Promise<readonly Sweep[]> {
  const own = toRaw(document)
  const known = knownSweeps.get(own) ?? new Map<string, Promise<readonly Sweep[]>>()
  knownSweeps.set(own, known)
  return once(known, '', async () => (await compute(own, { kind: 'sweeps' })).sweeps)
}
