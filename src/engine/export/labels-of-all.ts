import { open } from 'node:fs/promises'
import { LabError, toErrorReport, type ErrorReport } from '@shared/errors'
import { squaredDistance } from '@shared/metrics/distance'
import { changedWhileRead } from '@engine/csv/source-errors'
import { lowerBound } from '@engine/dataset/by-row'
import { rowsOfPoints } from '@engine/dataset/aligned-columns'
import { fileRow } from '@engine/dataset/file-row'
import { loadCpuAddon, type CpuAddon } from '@engine/engines/native'
import type { RowPart } from '@engine/engines/engine'
import { bytesOf, gatheredData, rowParts, visitOnFirst } from '@engine/processes/collective'
import type { RunProcesses } from '@engine/processes/run-processes'
import type { RunResult } from '@engine/run/types'
import { Slices } from '@engine/slices'
import { FileSink, type ByteSink } from './atomic-file'
import type { CsvForm } from './csv-text'
import { writeLabelColumns } from './label-columns'
import type { LabelledData } from './labelled-data'
import { writeLabels } from './labels'
import { npyHeader, writeLabelsNpy, writeNumbers } from './labels-npy'
import { spliceLabels } from './splice-labels'

/** A file with a line or a number for each row. */
export type LabelsKind = 'labels' | 'labels-npy'

export interface LabelsOptions {
  readonly signal: AbortSignal
  readonly onProgress: (rows: number) => void
  readonly form: CsvForm
}

/**
 * Writes a file of labels of a result that several processes hold, every one of which calls this: each its rows, where all of them
 * reach the file; else the labels come to the first one.
 * @param target of the first process; null for the others
 * @throws LabError `export.*`, `cancelled`, on the first process whoever failed
 */
export async function writeLabelsOfAll(
  kind: LabelsKind,
  result: RunResult,
  processes: RunProcesses,
  target: FileSink | null,
  options: LabelsOptions,
): Promise<void> {
  const { part } = result.dataset
  const writers = labelWriters()
  const path = part === undefined ? null : await pathForAll(target, processes, writers !== null)
  if (part === undefined || path === null || writers === null) {
    const whole = await labelsOnFirst(kind, result, processes, options.signal)
    if (target === null) return
    await (kind === 'labels'
      ? writeLabels(whole, target, ...spread(options))
      : writeWholeNpy(whole, target, options))
    return
  }
  const own = await labelledPart(kind, result, part, processes, options.signal)
  const write = (sink: ByteSink) => writePart(kind, own, result, part, sink, { ...options, ...writers })
  await writeInTurn(write, path, processes, target, result.dataset.file.path, options.signal)
}

function spread({ signal, onProgress, form }: LabelsOptions) {
  return [signal, onProgress, form] as const
}

function writeWholeNpy(whole: RunResult, target: ByteSink, { signal, onProgress }: LabelsOptions) {
  return writeLabelsNpy(whole, target, signal, onProgress)
}

type LabelWriters = Required<Pick<CpuAddon, 'LabelWriter' | 'LabelColumnWriter'>>

/** Null where the addon was built before they were there. */
function labelWriters(): LabelWriters | null {
  const { LabelWriter, LabelColumnWriter } = loadCpuAddon().addon ?? {}
  return LabelWriter && LabelColumnWriter ? { LabelWriter, LabelColumnWriter } : null
}

/** Where the first process writes, if all reach the file by that name: it has one that is nowhere else. */
async function pathForAll(
  target: FileSink | null,
  processes: RunProcesses,
  hasWriters: boolean,
): Promise<string | null> {
  const [path] = await gatheredData(processes, target?.path ?? null)
  const reached = hasWriters && path !== null && (target !== null || (await canWrite(path)))
  return (await gatheredData(processes, reached)).every(Boolean) ? path : null
}

async function canWrite(path: string): Promise<boolean> {
  const file = await open(path, 'r+').catch(() => null)
  await file?.close()
  return file !== null
}

/** The first process writes while the others find out how much they have; then these write behind each other. */
async function writeInTurn(
  write: (sink: ByteSink) => Promise<void>,
  path: string,
  processes: RunProcesses,
  target: FileSink | null,
  source: string,
  signal: AbortSignal,
): Promise<void> {
  const sized = target ?? new FileSink(null, path, signal)
  await agreed(processes, async () => {
    await write(sized)
    await sized.flush()
  })
  const sizes = await gatheredData(processes, sized.bytes)
  await agreed(processes, async () => {
    if (target !== null) return
    const before = sizes.slice(0, processes.rank).reduce((sum, bytes) => sum + bytes, 0)
    const file = await open(path, 'r+')
    try {
      const sink = new FileSink(file, path, signal, before)
      await write(sink)
      await sink.flush()
      await file.sync()
      if (sink.bytes !== sized.bytes) throw changedWhileRead(source)
    } finally {
      await file.close()
    }
  })
  target?.skip(sizes.slice(1).reduce((sum, bytes) => sum + bytes, 0))
}

/** What went wrong in a process: of the system, whose sentence is made where the file is known, or else. */
type Failure = { readonly system: object; readonly message: string } | { readonly report: ErrorReport }

/** What one of them throws is thrown by the first, which removes what was begun, and by all, so that none goes on. */
async function agreed(processes: RunProcesses, work: () => Promise<void>): Promise<void> {
  const own = await work().then(() => null, failureOf)
  const failure = (await gatheredData(processes, own)).find((each) => each !== null)
  if (failure === undefined) return
  throw 'report' in failure
    ? LabError.from(failure.report)
    : Object.assign(new Error(failure.message), failure.system)
}

function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error && 'syscall' in thrown)) return { report: toErrorReport(thrown) }
  return { system: { ...thrown }, message: thrown.message }
}

/** Labels of the rows that this process read, as of a file of them alone. */
async function labelledPart(
  kind: LabelsKind,
  result: RunResult,
  part: RowPart,
  processes: RunProcesses,
  signal: AbortSignal,
): Promise<LabelledData> {
  const { dataset, points, labels, centroids } = result
  const { leftOutRows } = points
  const begins = rowParts(dataset.rows, processes.size).map(
    ({ first }) => first - lowerBound(leftOutRows, first),
  )
  const [first, last] = [begins[processes.rank], begins.at(processes.rank + 1) ?? points.n]
  const held = points.part?.first ?? 0
  const handed = async (values: Int32Array | Float64Array) => {
    const at = (point: number) => Math.min(values.length, Math.max(0, point - held))
    const from = await processes.exchange(
      begins.map((begin, to) => bytesOf(values.subarray(at(begin), at(begins.at(to + 1) ?? points.n)))),
    )
    return Uint8Array.from(Buffer.concat(from)).buffer
  }
  const own = new Int32Array(await handed(labels))
  const distances =
    kind === 'labels' ? { distances: new Float64Array(await handed(await distancesOf(result, signal))) } : {}
  const [begin, end] = recordsOf(dataset, part, processes)
  const within = (records: Uint32Array) =>
    records.subarray(lowerBound(records, begin), lowerBound(records, end))
  const rows = rowsOfPoints(leftOutRows, { first, count: last - first }).map((row) => row - part.first)
  return {
    dataset: {
      ...dataset,
      rows: part.count,
      firstRecord: begin,
      leftOutRecords: within(dataset.leftOutRecords),
      blankRecords: within(dataset.blankRecords),
      // It was hashed as a whole, and parts are not: its size and time are compared.
      file: { ...dataset.file, sha256: null },
    },
    points: { ...points, rows: leftOutRows.length === 0 ? null : rows },
    labels: own,
    centroids,
    ...distances,
  }
}

/** The first record of a part, and that behind its last one. */
function recordsOf(
  dataset: RunResult['dataset'],
  { first, count }: RowPart,
  { rank, size }: RunProcesses,
): readonly [number, number] {
  return [
    rank === 0 ? dataset.firstRecord : fileRow(dataset, first),
    rank === size - 1 ? Infinity : fileRow(dataset, first + count),
  ]
}

async function writePart(
  kind: LabelsKind,
  own: LabelledData,
  { dataset }: RunResult,
  { first, count }: RowPart,
  sink: ByteSink,
  { signal, onProgress, form, LabelWriter, LabelColumnWriter }: LabelsOptions & LabelWriters,
): Promise<void> {
  if (kind === 'labels-npy') {
    const records = dataset.rows + dataset.leftOutRecords.length
    if (first === 0) await sink.writeBytes(npyHeader(records))
    await writeNumbers(own, sink, signal, onProgress)
    return
  }
  const { stretch } = dataset.part ?? {}
  const options = { signal, onProgress, form }
  if (stretch !== undefined) await spliceLabels(own, sink, { ...options, Writer: LabelWriter, stretch })
  else await writeLabelColumns(own, sink, { ...options, Writer: LabelColumnWriter, part: { first, count } })
}

/** Labels, and what else their file has, come to the first process, which is the one to ask for the answer. */
async function labelsOnFirst(
  kind: LabelsKind,
  result: RunResult,
  processes: RunProcesses,
  signal: AbortSignal,
): Promise<RunResult> {
  const { points, labels } = result
  const n = processes.rank === 0 ? points.n : 0
  const all = new Int32Array(n)
  await collectOnFirst(processes, labels, all)
  const rows = points.rows === null ? null : rowsOfPoints(points.leftOutRows, { first: 0, count: n })
  const whole = { ...result, labels: all, points: { ...points, rows } }
  if (kind !== 'labels') return whole
  const distances = new Float64Array(n)
  await collectOnFirst(processes, await distancesOf(result, signal), distances)
  return { ...whole, distances }
}

/** @param all of the first process, as long as what all have together; of no length elsewhere */
export async function collectOnFirst(
  processes: RunProcesses,
  own: Int32Array | Float32Array | Float64Array,
  all: Int32Array | Float32Array | Float64Array,
): Promise<void> {
  const bytes = bytesOf(all)
  let at = 0
  await visitOnFirst(processes, bytesOf(own), (theirs) => {
    bytes.set(theirs, at)
    at += theirs.length
  })
}

/** Of the points of this process to their centroids, engine units. */
async function distancesOf(
  { points: { x, d }, labels, centroids }: RunResult,
  signal: AbortSignal,
): Promise<Float64Array> {
  const wide = Float64Array.from(centroids)
  const distances = new Float64Array(labels.length)
  const slices = new Slices(signal)
  for (let i = 0; i < labels.length; i++) {
    distances[i] = Math.sqrt(squaredDistance(x, i, wide, labels[i], d))
    if (i % 4096 === 4095) await slices.next()
  }
  return distances
}
