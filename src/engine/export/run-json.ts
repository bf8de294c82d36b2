import type { RunResult } from '@engine/run/types'
import { centroidRow } from './assignment'
import type { TextSink } from './atomic-file'
import { runDocument, type RunDocument } from './run-document'

type Row = readonly number[] | null

/**
 * run.json: everything needed to repeat the run and to place new points among its clusters. The tables of
 * centroids are written row by row, one line each, so that their size is not bounded by that of a string.
 */
export async function writeRunJson(result: RunResult, sink: TextSink): Promise<void> {
  await writeRunDocument(runDocument(result), result, sink)
}

/** The same of a run whose dataset is not at hand: `document` was made when it ended. */
export async function writeRunDocument(
  document: RunDocument,
  result: Pick<RunResult, 'record' | 'centroids' | 'initialCentroids'>,
  sink: TextSink,
): Promise<void> {
  const { record } = result
  const { d } = record
  const head = JSON.stringify(document, null, 2)
  await sink.write(onOneLine(head).slice(0, -'\n}'.length))
  await writeTable(sink, 'centroids', record.k, (row) => record.clusters[row].centroid)
  await writeTable(sink, 'engine_centroids', record.k, (row) => centroidRow(result.centroids, row, d))
  await writeTable(sink, 'initial_centroids', record.k, (row) => centroidRow(result.initialCentroids, row, d))
  await sink.write('\n}\n')
}

async function writeTable(
  sink: TextSink,
  name: string,
  rows: number,
  rowAt: (row: number) => Row,
): Promise<void> {
  await sink.write(`,\n  ${JSON.stringify(name)}: [`)
  for (let row = 0; row < rows; row++) {
    await sink.write(`${row === 0 ? '' : ','}\n    ${JSON.stringify(rowAt(row))}`)
  }
  await sink.write('\n  ]')
}

/** Lists of plain numbers on one line; a string cannot hold the line breaks that the pattern needs. */
function onOneLine(json: string): string {
  const numbers = /\[\n\s+((?:[-+.\deE]+|null)(?:,\n\s+(?:[-+.\deE]+|null))*)\n\s+\]/g
  return json.replace(numbers, (_, inner: string) => `[${inner.replace(/\s+/g, ' ')}]`)
}
