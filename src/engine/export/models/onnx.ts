import { appVersion } from '@engine/app-version'
import type { RunResult } from '@engine/run/types'
import type { ByteSink } from '../atomic-file'
import { OnnxGraph } from './onnx-graph'
import { placementOf, type Placement } from './placement'

/** Operators of ONNX 1.9 and of its machine-learning part: old enough for every runtime in use. */
const operators = [
  { domain: '', version: 14 },
  { domain: 'ai.onnx.ml', version: 2 },
] as const

/**
 * model.onnx: the clustering with its scaling. Inputs: `numbers` (rows, columns of numbers) float64, NaN where one is
 * missing, and for each column of texts its name (rows, 1) as strings. Outputs: `cluster` (rows) int64, -1 where a value is
 * missing, and `distance` (rows) float64, units of the scaled data.
 *
 * The nearest centroid is found by |c|²/2 - x·c in float64; the distance is that of the differences.
 */
export async function writeOnnxModel(result: RunResult, sink: ByteSink): Promise<void> {
  const model = placementOf(result)
  const graph = new OnnxGraph()
  const values = gather(graph, model)
  const points = transform(graph, model, values)
  assign(graph, model, points)
  const about = `k-means clustering of ${model.source}, ${model.startedAt}`
  const facts = { producer: 'Centroid Lab', version: appVersion(), about, operators }
  await sink.writeBytes(graph.model(facts))
}

/** (rows, d) values in units of the file. */
function gather(graph: OnnxGraph, { columns, features }: Placement): string {
  const numeric = columns.flatMap(({ texts }, at) => (texts === null ? [at] : []))
  const numbers = numeric.length === 0 ? null : graph.input('numbers', 'double', ['rows', numeric.length])
  const texts = columns.map(({ name, texts: own }) => {
    return own === null ? null : graph.input(name, 'string', ['rows', 1])
  })
  const parts = features.map(({ column, text }) => {
    if (text !== null) return indicator(graph, texts[column] ?? '', text)
    const at = graph.constant('int64', [1], [numeric.indexOf(column)])
    return graph.node('Gather', [numbers ?? '', at], { axis: { int: 1 } })
  })
  return graph.node('Concat', parts, { axis: { int: 1 } })
}

/** 1 where the input is the text, 0 where it is another, NaN where it is empty. */
function indicator(graph: OnnxGraph, input: string, text: string): string {
  const keys = { keys_strings: { strings: [text, ''] }, values_floats: { floats: [1, Number.NaN] } }
  const domain = { domain: 'ai.onnx.ml' }
  return graph.cast(
    graph.node('LabelEncoder', [input], { ...keys, default_float: { float: 0 } }, domain),
    'double',
  )
}

/** (rows, d) points in engine units, as float64. */
function transform(
  graph: OnnxGraph,
  { features, isUnitLength, precision }: Placement,
  values: string,
): string {
  const d = features.length
  const row = (of: (feature: Placement['features'][number]) => number) =>
    graph.constant('double', [1, d], features.map(of))
  const fills = row(({ fill }) => fill ?? Number.NaN)
  const filled = graph.node('Where', [graph.node('IsNaN', [values]), fills, values])
  const rows = isUnitLength ? onSphere(graph, filled) : filled
  const centred = graph.node('Sub', [rows, row(({ offset }) => offset)])
  const points = graph.node('Div', [centred, row(({ step }) => step)])
  return precision === 'float32' ? graph.cast(graph.cast(points, 'float'), 'double') : points
}

function onSphere(graph: OnnxGraph, rows: string): string {
  const axis = graph.constant('int64', [1], [1])
  const squares = graph.node('ReduceSum', [graph.node('Mul', [rows, rows]), axis], { keepdims: { int: 1 } })
  const norm = graph.node('Sqrt', [squares])
  const [zero, one] = [0, 1].map((value) => graph.constant('double', [1], [value]))
  const divisor = graph.node('Where', [graph.node('Equal', [norm, zero]), one, norm])
  return graph.node('Div', [rows, divisor])
}

function assign(graph: OnnxGraph, { clusters, scale }: Placement, points: string): void {
  const [k, d] = [clusters.length, clusters[0].centroid.length]
  const rows = graph.constant(
    'double',
    [k, d],
    clusters.flatMap(({ centroid }) => centroid),
  )
  const halves = clusters.map(({ centroid }) => centroid.reduce((sum, value) => sum + value * value, 0) / 2)
  const products = graph.node('MatMul', [points, graph.node('Transpose', [rows], { perm: { ints: [1, 0] } })])
  const scores = graph.node('Sub', [graph.constant('double', [1, k], halves), products])
  const nearest = graph.node('ArgMin', [scores], { axis: { int: 1 }, keepdims: { int: 0 } })
  const difference = graph.node('Sub', [points, graph.node('Gather', [rows, nearest])])
  const axis = graph.constant('int64', [1], [1])
  const squares = graph.node('ReduceSum', [graph.node('Mul', [difference, difference]), axis], {
    keepdims: { int: 0 },
  })
  const unit = graph.constant('double', [1], [scale])
  const distance = graph.node('Mul', [graph.node('Sqrt', [squares]), unit], {}, { name: 'distance' })
  const labels = graph.constant(
    'int64',
    [k],
    clusters.map(({ cluster }) => cluster),
  )
  const none = graph.constant('int64', [1], [-1])
  const found = graph.node('Gather', [labels, nearest])
  graph.node('Where', [graph.node('IsNaN', [distance]), none, found], {}, { name: 'cluster' })
  graph.output('cluster', 'int64', ['rows'])
  graph.output('distance', 'double', ['rows'])
}
