import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

/** A file to read, and how another reader is told what it holds. */
export interface Workload {
  readonly name: string
  /** At the full size. */
  readonly rows: number
  readonly delimiter: ',' | ';'
  readonly decimal: '.' | ','
  readonly header: string
  line(row: number): string
}

const linesAtOnce = 10_000

/** Whole numbers below 2^32 that look random: the same on every machine. */
function mixed(at: number): number {
  let hash = Math.imul(at ^ (at >>> 16), 0x45d9f3b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 16)) >>> 0
}

const number = (at: number) => (mixed(at) / 2 ** 32 - 0.5).toFixed(6)
const numbers = (row: number, d: number) => Array.from({ length: d }, (_, j) => number(row * d + j))
const names = (d: number, separator: string) =>
  Array.from({ length: d }, (_, j) => `x${j + 1}`).join(separator)
const cities = ['Turin', 'Łódź', 'Bologna', 'Wrocław', 'Genoa', '"Old" Town']

export const workloads: readonly Workload[] = [
  {
    ...{ name: 'numbers, 1M x 10', rows: 1_000_000, delimiter: ',', decimal: '.', header: names(10, ',') },
    line: (row) => numbers(row, 10).join(','),
  },
  {
    ...{ name: 'numbers, 10M x 2', rows: 10_000_000, delimiter: ',', decimal: '.', header: names(2, ',') },
    line: (row) => numbers(row, 2).join(','),
  },
  {
    ...{ name: 'quoted cells and texts, 1M', rows: 1_000_000, delimiter: ',', decimal: '.' },
    header: '"id","city","note","a","b","c"',
    line(row) {
      const city = cities[mixed(row) % cities.length].replaceAll('"', '""')
      return `${row},"${city}","sample, ${row}",${numbers(row, 3)
        .map((cell) => `"${cell}"`)
        .join(',')}`
    },
  },
  {
    ...{ name: 'decimal commas, 1M x 10', rows: 1_000_000, delimiter: ';', decimal: ',' },
    header: names(10, ';'),
    line: (row) => numbers(row, 10).join(';').replaceAll('.', ','),
  },
]

export async function writeWorkload(path: string, { header, line }: Workload, rows: number): Promise<void> {
  const out = createWriteStream(path)
  out.write(`${header}\n`)
  for (let first = 0; first < rows; first += linesAtOnce) {
    const count = Math.min(linesAtOnce, rows - first)
    const text = Array.from({ length: count }, (_, i) => line(first + i)).join('\n')
    if (!out.write(`${text}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}
