import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { columnFromArray, float64, int64, tableFromColumns, tableToIPC, utf8 } from '@uwdata/flechette'
import { runAmong } from './mpi-run'

const arrayKinds = ['f4 rows', 'f4 columns', 'f4 infinite', 'f8 rows', 'i8 columns'] as const
type ArrayKind = (typeof arrayKinds)[number]

/**
 * `blobs`: rows for four processes, so that each reads its part of the file. `mixed`: as many, with all that makes a table hard to
 * share: cells that are missing or no numbers, texts, numbers far from 0. `ragged`: the same with lines that are no rows: above
 * the table, blank ones, and some with too many or too few cells. `columns`: an Arrow file. `small`: each reads it whole.
 */
export type Table = 'small' | 'blobs' | 'mixed' | 'ragged' | 'columns' | ArrayKind

const rows = 70_000

/** Writes the tables into a folder. @returns where each lies */
export async function writeTables(folder: string): Promise<(table: Table) => string> {
  const fileOf = (table: Table) => {
    if (table === 'small') return resolve('examples', 'iris.csv')
    if (table === 'columns') return join(folder, 'columns.arrow')
    const isText = table === 'blobs' || table === 'mixed' || table === 'ragged'
    return join(folder, `${table}.${isText ? 'csv' : 'npy'}`)
  }
  const lines = mixedLines()
  writeFileSync(fileOf('mixed'), lines.join('\n'))
  writeFileSync(fileOf('ragged'), raggedTable(lines))
  for (const kind of arrayKinds) writeFileSync(fileOf(kind), array(kind))
  writeFileSync(fileOf('columns'), arrowTable())
  await runAmong(0, ['generate', 'blobs', '-n', String(rows), '-d', '5', '-k', '12', '-o', fileOf('blobs')])
  return fileOf
}

/** Numbers that only look like chance. */
function mixedLines(): readonly string[] {
  const colours = ['red', 'green', '"dark, grey"', 'blue', 'white']
  let state = 12_345
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const cell = (missing: number, value: string) => (draw(1000) < missing ? 'NA' : value)
  const line = (row: number) =>
    [
      row + 1,
      cell(10, ((row % 6) * 3 + draw(1000) / 1000).toFixed(3)),
      draw(500) === 0 ? (draw(2) === 0 ? 'inf' : 'oops') : String(draw(2 ** 30) / 7),
      1_600_000_000 + draw(1000) / 8,
      // Texts that come late, and at first seldom.
      row < 40_000 ? colours[draw(3)] : colours[draw(5)],
      // Twice the same, where a reader of the whole file does not look for it any more.
      row === 69_000 ? 68_000 * 7 + 3 : row * 7 + 3,
    ].join(',')
  return ['row id,x,y,far,colour,code', ...Array.from({ length: rows }, (_, row) => line(row))]
}

function raggedTable(lines: readonly string[]): string {
  const spoilt = lines.flatMap((line, i) => {
    if (i > 0 && i % 5000 === 0) return ['', line]
    if (i > 0 && i % 7001 === 0) return [`${line},9,9`]
    return i > 0 && i % 9001 === 0 ? ['1,2', line] : [line]
  })
  // Line ends of all three kinds.
  const ends = ['\r\n', '\n', '\r']
  const all = ['# made up', '# on a Saturday', ...spoilt, '', '']
  return all.map((line, i) => line + ends[Math.floor(i / 20_000) % 3]).join('')
}

const arrayTypes = { f4: Float32Array, f8: Float64Array, i8: BigInt64Array } as const

/** An array of three columns as NumPy writes it, a tenth of its floating-point numbers missing. */
function array(kind: ArrayKind): Uint8Array {
  const [type, order] = kind.split(' ') as [keyof typeof arrayTypes, string]
  const isFortran = order === 'columns'
  const number = (row: number, column: number) => {
    const value = Math.sin(row * 12.9898 + column) * 43_758.5453
    if (type === 'i8') return Math.round(value)
    if (order === 'infinite' && row === 50_000) return Infinity
    return (row + column) % 10 === 0 ? NaN : value
  }
  const cell = (at: number) =>
    isFortran ? number(at % rows, Math.floor(at / rows)) : number(Math.floor(at / 3), at % 3)
  const numbers = Float64Array.from({ length: 3 * rows }, (_, at) => cell(at))
  const values = type === 'i8' ? BigInt64Array.from(numbers, BigInt) : arrayTypes[type].from(numbers)
  const shape = `(${rows}, 3)`
  const text = `{'descr': '<${type}', 'fortran_order': ${isFortran ? 'True' : 'False'}, 'shape': ${shape}, }`
  const head = Buffer.alloc(128, ' ')
  head.write('\x93NUMPY\x01\x00', 'latin1')
  head.writeUInt16LE(118, 8)
  head.write(text, 10, 'latin1')
  head.write('\n', 127, 'latin1')
  return Buffer.concat([head, new Uint8Array(values.buffer)])
}

/** Record batches that end where no process does, with texts, gaps and numbers that float64 cannot hold. */
function arrowTable(): Uint8Array {
  const all = Array.from({ length: rows }, (_, row) => row)
  const made = tableFromColumns({
    id: columnFromArray(all, float64(), { maxBatchRows: 10_000 }),
    x: columnFromArray(
      all.map((row) => (row % 97 === 0 ? null : Math.sin(row) * 9)),
      float64(),
      { maxBatchRows: 10_000 },
    ),
    y: columnFromArray(
      all.map((row) => (row === 61_234 ? Infinity : Math.cos(row * 3))),
      float64(),
      { maxBatchRows: 10_000 },
    ),
    far: columnFromArray(
      all.map((row) => 2n ** 60n + BigInt(row % 1000)),
      int64(),
      { maxBatchRows: 10_000 },
    ),
    colour: columnFromArray(
      all.map((row) => (row < 40_000 ? ['red', 'green'][row % 2] : ['blue', 'red', ' white'][row % 3])),
      utf8(),
      { maxBatchRows: 10_000 },
    ),
  })
  return tableToIPC(made, { format: 'file' })!
}
