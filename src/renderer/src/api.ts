/** The only file of the window that touches the preload: answers become values or a thrown LabError. */
import { LabError } from '@shared/errors'
import { bulkChunkBytes, type Answer, type AppEvents, type WindowRequests } from '@shared/ipc'

type Channel = keyof WindowRequests

function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw LabError.from(answer.error)
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
export async function registerDrop(file: File): Promise<{ token: string; name: string }> {
  return valueOf(await window.lab.registerDrop(file))
}

const chunkValues = bulkChunkBytes / Float32Array.BYTES_PER_ELEMENT

/** A whole numeric column in chunks of at most 1 MiB: file value = offset + values[row] * unit, NaN = missing. */
export async function columnValues(
  datasetId: string,
  column: number,
  rows: number,
): Promise<{ values: Float32Array; offset: number; unit: number }> {
  const values = new Float32Array(rows)
  let [offset, unit] = [0, 1]
  for (let start = 0; start < rows; start += chunkValues) {
    const count = Math.min(chunkValues, rows - start)
    const chunk = await ask('dataset.values', { datasetId, column, start, count })
    values.set(chunk.values, start)
    offset = chunk.offset
    unit = 2 ** chunk.exponent
  }
  return { values, offset, unit }
}

/** The label of every row of the dataset in chunks of at most 1 MiB; -1 for rows left out. */
export async function rowLabels(runId: string, rows: number): Promise<Int32Array> {
  const labels = new Int32Array(rows)
  for (let start = 0; start < rows; start += chunkValues) {
    const count = Math.min(chunkValues, rows - start)
    const chunk = await ask('run.labels', { runId, start, count })
    labels.set(chunk.labels, start)
  }
  return labels
}
