/** The only file of the window that touches the preload: answers become values or a thrown LabError. */
import { localizedSentence } from '@shared/locale/localized-sentence'
import { LabError } from '@shared/errors'
import {
  bulkChunkBytes,
  leftOutByte,
  maxByteClusters,
  type Answer,
  type AppEvents,
  type TrailAxis,
  type WindowRequests,
} from '@shared/ipc'
import type { ChosenFile } from '@shared/chosen-file'
import { sharedFloats, sharedIntegers } from './shared-arrays'

type Channel = keyof WindowRequests

function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw LabError.from({ ...answer.error, message: localizedSentence(answer.error.message) })
}

/** Asks main, or through it the engine host. Throws a LabError whose message can be shown as it is. */
export async function ask<K extends Channel>(
  channel: K,
  params: WindowRequests[K]['params'],
): Promise<WindowRequests[K]['result']> {
  return valueOf(await window.lab.invoke(channel, params))
}

/** Listens to an event; the answer stops listening. */
export function listen<K extends keyof AppEvents>(
  channel: K,
  listener: (payload: AppEvents[K]) => void,
): () => void {
  return window.lab.on(channel, listener)
}

/** A dropped file becomes a token and a name; its path stays with main. */
export async function registerDrop(file: File): Promise<ChosenFile> {
  return valueOf(await window.lab.registerDrop(file))
}

const chunkValues = bulkChunkBytes / Float32Array.BYTES_PER_ELEMENT

/** Null instead of a failure of what nobody wants any more. */
export async function ifWanted<T>(answer: Promise<T>, wanted: () => boolean): Promise<T | null> {
  try {
    const value = await answer
    return wanted() ? value : null
  } catch (thrown) {
    if (wanted()) throw thrown
    return null
  }
}

/** Pieces that are asked for before the first of them is there: the host answers them one behind the other. */
const piecesAhead = 4

/** Asks for a whole array piece by piece, each at most 1 MiB; stops early when `wanted` says so and answers null. */
async function inChunks<A extends Float32Array | Int32Array>(
  into: A,
  wanted: () => boolean,
  chunk: (start: number, count: number) => Promise<A>,
): Promise<A | null> {
  const ahead: Promise<A | null>[] = []
  let asked = 0
  for (let start = 0; start < into.length; start += chunkValues) {
    for (; asked < into.length && ahead.length < piecesAhead; asked += chunkValues) {
      const coming = ifWanted(chunk(asked, Math.min(chunkValues, into.length - asked)), wanted)
      // Told where it is waited for, if it still is.
      coming.catch(() => undefined)
      ahead.push(coming)
    }
    const piece = await ahead.shift()
    if (!piece) return null
    into.set(piece, start)
  }
  return into
}

/**
 * A whole numeric column: file value = offset + values[row] * unit, NaN = missing; null when no longer wanted.
 */
export async function columnValues(
  datasetId: string,
  column: number,
  rows: number,
  wanted: () => boolean = () => true,
): Promise<{ values: Float32Array; offset: number; unit: number } | null> {
  let [offset, unit] = [0, 1]
  const values = await inChunks(sharedFloats(rows), wanted, async (start, count) => {
    const chunk = await ask('dataset.values', { datasetId, column, start, count })
    offset = chunk.offset
    unit = 2 ** chunk.exponent
    return chunk.values
  })
  return values && { values, offset, unit }
}

/** Numbers in the file of ascending rows of a dataset, as text: `2-51,60`; empty for none. */
export async function rowNumbers(datasetId: string, rows: Uint32Array): Promise<string> {
  const texts: string[] = []
  for (let start = 0; start < rows.length; start += chunkValues) {
    const part = rows.slice(start, start + chunkValues)
    texts.push((await ask('dataset.row-numbers', { datasetId, rows: part })).numbers)
  }
  return texts.join(',')
}

/** Which rows of the dataset stand at positions of a table, in its order. */
export async function rowsAtPositions(tableId: string, start: number, end: number): Promise<Uint32Array> {
  const rows = new Uint32Array(Math.max(0, end - start))
  for (let at = start; at < end; at += chunkValues) {
    const count = Math.min(chunkValues, end - at)
    rows.set((await ask('table.row-indices', { tableId, start: at, count })).rows, at - start)
  }
  return rows
}

/** The label of every row of the dataset; -1 for rows left out; null when no longer wanted. */
export async function rowLabels(
  runId: string,
  rows: number,
  wanted: () => boolean = () => true,
): Promise<Int32Array | null> {
  return inChunks(sharedIntegers(rows), wanted, async (start, count) => {
    return (await ask('run.labels', { runId, start, count })).labels
  })
}

/** Which text of a column each row has, -1 for a missing cell; null when no longer wanted. */
export async function categoryCodes(
  datasetId: string,
  column: number,
  rows: number,
  wanted: () => boolean,
): Promise<Int32Array | null> {
  return inChunks(sharedIntegers(rows), wanted, async (start, count) => {
    return (await ask('dataset.category-codes', { datasetId, column, start, count })).codes
  })
}

/** The same of few clusters in a quarter of the bytes; else as `rowLabels`. @param k clusters of the run */
export async function fewLabels(
  runId: string,
  k: number,
  rows: number,
  wanted: () => boolean,
): Promise<Int32Array | null> {
  if (k > maxByteClusters) return rowLabels(runId, rows, wanted)
  const labels = sharedIntegers(rows)
  for (let start = 0; start < rows; start += bulkChunkBytes) {
    const count = Math.min(bulkChunkBytes, rows - start)
    const piece = await ifWanted(ask('run.labels-bytes', { runId, start, count }), wanted)
    if (piece === null) return null
    const { labels: bytes } = piece
    for (let i = 0; i < bytes.length; i++) {
      const label = bytes[i] ?? leftOutByte
      labels[start + i] = label === leftOutByte ? -1 : label
    }
  }
  return labels
}

/** The labels that an iteration of the best restart assigned, by row; null when no longer wanted. */
export async function iterationLabels(
  runId: string,
  iteration: number,
  rows: number,
  wanted: () => boolean,
): Promise<Int32Array | null> {
  return inChunks(sharedIntegers(rows), wanted, async (start, count) => {
    return (await ask('run.iteration-labels', { runId, iteration, start, count })).labels
  })
}

/** The score of every row on a principal component, NaN for rows left out; null when no longer wanted. */
export async function componentScores(
  projectionId: string,
  component: number,
  rows: number,
  wanted: () => boolean,
): Promise<Float32Array | null> {
  return inChunks(sharedFloats(rows), wanted, async (start, count) => {
    return (await ask('projection.values', { projectionId, component, start, count })).values
  })
}

/**
 * Centroids of `count` iterations from `start` on some axes, (iterations, k, axes), fewer where fewer were kept;
 * null when no longer wanted.
 */
export async function trail(
  runId: string,
  axes: readonly TrailAxis[],
  start: number,
  count: number,
  perIteration: number,
  wanted: () => boolean,
): Promise<Float64Array | null> {
  const values = new Float64Array(count * perIteration)
  for (let at = 0; at < count;) {
    const answer = await ifWanted(
      ask('run.trail', { runId, axes, start: start + at, count: count - at }),
      wanted,
    )
    if (answer === null) return null
    if (answer.values.length === 0) return values.subarray(0, at * perIteration)
    values.set(answer.values, at * perIteration)
    at += answer.values.length / perIteration
  }
  return values
}

/** How many iterations of a run kept their centroids, the initial ones not counted. */
export async function keptIterations(runId: string): Promise<number> {
  const axes = [{ kind: 'feature', feature: 0 }] as const
  const { kept } = await ask('run.trail', { runId, axes, start: 0, count: 0 })
  return Math.max(0, kept - 1)
}

/** A feature of the points of a step: file value = offset + values[row] * unit; null when no longer wanted. */
export async function stepValues(
  step: { readonly stepsId: string; readonly step: number },
  feature: number,
  points: number,
  wanted: () => boolean,
): Promise<{ values: Float32Array; offset: number; unit: number } | null> {
  let [offset, unit] = [0, 1]
  const values = await inChunks(new Float32Array(points), wanted, async (start, count) => {
    const chunk = await ask('steps.values', { ...step, feature, start, count })
    offset = chunk.offset
    unit = 2 ** chunk.exponent
    return chunk.values
  })
  return values && { values, offset, unit }
}

/** The labels of the points of a step; null when no longer wanted. */
export async function stepLabels(
  step: { readonly stepsId: string; readonly step: number },
  points: number,
  wanted: () => boolean,
): Promise<Int32Array | null> {
  return inChunks(new Int32Array(points), wanted, async (start, count) => {
    return (await ask('steps.labels', { ...step, start, count })).labels
  })
}
