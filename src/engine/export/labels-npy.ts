import { endianness } from 'node:os'
import { lowerBound } from '@engine/dataset/by-row'
import type { Dataset } from '@engine/dataset/dataset'
import { Slices } from '@engine/slices'
import type { ByteSink } from './atomic-file'
import type { LabelledData } from './labelled-data'
import { RowIndex } from './source-rows'

/** Labels at a time. */
const block = 1 << 18

/** Bytes of the header with the shape of any table: what follows lies at a multiple of 64. */
const headerBytes = 128

/** Magic, version and length of the text behind them. */
const prefixBytes = 10

/**
 * labels.npy: the labels of labels.csv for NumPy, int32, one for each record of the source; -1 where labels.csv has none. The
 * source is not read.
 */
export async function writeLabelsNpy(
  result: LabelledData,
  sink: ByteSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<void> {
  const { rows, leftOutRecords } = result.dataset
  await sink.writeBytes(npyHeader(rows + leftOutRecords.length))
  await writeNumbers(result, sink, signal, onProgress)
}

/** What stands behind the header. */
export async function writeNumbers(
  { dataset, points, labels }: LabelledData,
  sink: ByteSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<void> {
  const records = dataset.rows + dataset.leftOutRecords.length
  // Each record is a point.
  if (points.rows === null && labels.length === records)
    return writeAsTheyStand(labels, sink, signal, onProgress)
  const index = new RowIndex(dataset, points)
  const numbers = recordNumbers(dataset)
  const slices = new Slices(signal)
  for (let written = 0; written < records;) {
    const some = new Int32Array(Math.min(block, records - written))
    for (let i = 0; i < some.length; i++) {
      const point = index.pointOf({ record: numbers.next() })
      some[i] = point < 0 ? -1 : labels[point]
    }
    await sink.writeBytes(new Uint8Array(some.buffer))
    onProgress((written += some.length))
    await slices.next()
  }
}

async function writeAsTheyStand(
  labels: Int32Array,
  sink: ByteSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<void> {
  const slices = new Slices(signal)
  for (let written = 0; written < labels.length;) {
    const some = labels.subarray(written, written + block)
    await sink.writeBytes(new Uint8Array(some.buffer, some.byteOffset, some.byteLength))
    onProgress((written += some.length))
    await slices.next()
  }
}

/** Numbers of the data records in the order of the file, blank lines left out. */
function recordNumbers({ firstRecord, blankRecords }: Dataset): { next(): number } {
  let record = firstRecord - 1
  let blank = lowerBound(blankRecords, firstRecord)
  return {
    next() {
      record++
      for (; blankRecords[blank] === record; blank++) record++
      return record
    },
  }
}

/** The header of a file of one dimension, in version 1.0 of the format. */
export function npyHeader(length: number): Uint8Array {
  const order = endianness() === 'LE' ? '<' : '>'
  const text = `{'descr': '${order}i4', 'fortran_order': False, 'shape': (${length},), }`
  const header = Buffer.alloc(headerBytes, ' ')
  header.write('\x93NUMPY\x01\x00', 'latin1')
  header.writeUInt16LE(headerBytes - prefixBytes, prefixBytes - 2)
  header.write(text, prefixBytes, 'latin1')
  header.write('\n', headerBytes - 1, 'latin1')
  return header
}
