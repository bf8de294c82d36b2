import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { InferenceSession, Tensor, env } from 'onnxruntime-web'
import Papa from 'papaparse'

/** Labels as texts, -1 for none, and distances, NaN for none, in the order of the rows. */
export interface Labelled {
  readonly labels: readonly string[]
  readonly distances: readonly number[]
}

/** Cells of a table by column. */
export type Table = Readonly<Record<string, readonly string[]>>

export function tableOf(csv: string): Table {
  const [header, ...rows] = Papa.parse<string[]>(csv, { skipEmptyLines: true }).data
  return Object.fromEntries(header.map((name, i) => [name, rows.map((row) => row[i])]))
}

/** Of labels.csv, or what model.py prints. */
export function labelledBy(csv: string): Labelled {
  const { cluster, distance } = tableOf(csv)
  return {
    labels: cluster.map((label) => (label === '' ? '-1' : label)),
    distances: distance.map((text) => (text === '' ? Number.NaN : Number(text))),
  }
}

/** Is there a Python with numpy? The test command installs one; a bare checkout may have none. */
export async function pythonWithNumpy(): Promise<string | null> {
  for (const python of ['/usr/bin/python3', 'python3']) {
    const found = await promisify(execFile)(python, ['-c', 'import numpy']).then(
      () => true,
      () => false,
    )
    if (found) return python
  }
  return null
}

export async function byPython(python: string, model: string, file: string): Promise<Labelled> {
  const { stdout } = await promisify(execFile)(python, ['-B', model, file])
  return labelledBy(stdout)
}

const number = (cell: string): number => (cell.trim() === '' ? Number.NaN : Number(cell))

/** By ONNX Runtime. */
export async function byOnnxRuntime(model: Uint8Array, table: Table): Promise<Labelled> {
  env.wasm.numThreads = 1
  const session = await InferenceSession.create(model)
  const texts = session.inputNames.filter((name) => name !== 'numbers')
  const numeric = Object.keys(table).filter((name) => !texts.includes(name) && table[name].some(isNumber))
  const rows = Object.values(table)[0].length
  const feeds: Record<string, Tensor> = {}
  if (session.inputNames.includes('numbers')) {
    const data = Array.from({ length: rows }, (_, row) => numeric.map((name) => number(table[name][row])))
    feeds['numbers'] = new Tensor('float64', Float64Array.from(data.flat()), [rows, numeric.length])
  }
  for (const name of texts) feeds[name] = new Tensor('string', [...table[name]], [rows, 1])
  const { cluster, distance } = await session.run(feeds)
  return {
    labels: Array.from(cluster.data as BigInt64Array, String),
    distances: Array.from(distance.data as Float64Array),
  }
}

function isNumber(cell: string): boolean {
  return cell.trim() !== '' && Number.isFinite(Number(cell))
}
