/** `npm run bench:csv`: readers of CSV files, in turns, on the same files. See README.md. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { machineFacts } from '@engine/machine'
import { machineLine } from '@shared/benchmark/machine-text'
import { significant } from '@shared/benchmark/significant'
import { medianOf } from '@shared/benchmark/statistics'
import { readOnce, type NodeReader, type ReadRequest, type ReadResult } from './read'
import { workloads, writeWorkload, type Workload } from './workloads'

const usage = `npm run bench:csv -- [options]

  --repeats N   reads by each reader that count (3)
  --scale F     F times the rows, for a quick look (1)
  --only TEXT   only files whose name has TEXT in it (all)
  --peers DIR   folder in which nodejs-polars and @duckdb/node-api were installed (none)
  -o FILE       where the Markdown table goes as well
`

/** Whose pandas it is. */
const python = process.env['CENTROID_LAB_PYTHON'] || 'python3'

const readers = ['native', 'text', 'papaparse', 'polars', 'duckdb', 'pandas'] as const
type Reader = (typeof readers)[number]
const titles: Readonly<Record<Reader, string>> = {
  native: 'ours',
  text: 'ours, text reader',
  papaparse: 'PapaParse',
  polars: 'polars',
  duckdb: 'DuckDB',
  pandas: 'pandas, C engine',
}

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      repeats: { type: 'string', default: '3' },
      scale: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      peers: { type: 'string', default: '' },
      read: { type: 'string' },
      output: { type: 'string', short: 'o' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (values.read !== undefined) {
    console.log(JSON.stringify(await readOnce(JSON.parse(values.read) as ReadRequest)))
    return 0
  }
  const chosen = workloads.filter(({ name }) => name.includes(values.only))
  const table = await compared(chosen, Number(values.repeats), Number(values.scale), values.peers)
  console.log(table)
  if (values.output !== undefined) writeFileSync(resolve(values.output), table)
  return 0
}

async function compared(
  chosen: readonly Workload[],
  repeats: number,
  scale: number,
  peers: string,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-csv-'))
  try {
    const rows: string[] = []
    for (const workload of chosen) rows.push(...(await rowsOf(workload, folder, repeats, scale, peers)))
    const head = ['file', 'MB', 'reader', 'MB/s', 'MB/s, with SHA-256', 'peak memory, MiB', 'over ours']
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const about = `${machineLine(await machineFacts('cpu'), new Date().toISOString())}; medians of ${repeats} reads in turns, files in the page cache.`
    return [about, '', line(head), line(head.map(() => '---')), ...rows, ''].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function rowsOf(
  workload: Workload,
  folder: string,
  repeats: number,
  scale: number,
  peers: string,
): Promise<string[]> {
  const path = join(folder, 'file.csv')
  const rows = Math.max(1, Math.round(workload.rows * scale))
  await writeWorkload(path, workload, rows)
  readFileSync(path)
  const megabytes = statSync(path).size / 1e6
  const results = new Map<Reader, ReadResult[]>()
  const reasons = new Map<Reader, string>()
  for (let turn = 0; turn < repeats; turn++) {
    for (const reader of readers.filter((one) => !reasons.has(one))) {
      const result = read(reader, { reader: reader as NodeReader, path, ...workload, peers })
      if (typeof result === 'string') reasons.set(reader, result)
      else if (result.rows !== rows) reasons.set(reader, `read ${result.rows} rows`)
      else results.set(reader, [...(results.get(reader) ?? []), result])
    }
  }
  const oursMs = medianOf((results.get('native') ?? []).map(({ ms }) => ms))
  return readers.map((reader) => {
    const about = [workload.name, megabytes.toFixed(0), titles[reader]]
    const own = results.get(reader) ?? []
    if (own.length === 0) return `| ${[...about, reasons.get(reader), '', '', ''].join(' | ')} |`
    const ms = medianOf(own.map((one) => one.ms))
    const speedIn = (time: number) => significant(megabytes / (time / 1000))
    const hashedMs = own.flatMap((one) => one.hashedMs ?? [])
    const hashed = hashedMs.length === 0 ? '' : speedIn(medianOf(hashedMs))
    const peak = medianOf(own.map(({ peakBytes }) => peakBytes)) / 2 ** 20
    return `| ${[...about, speedIn(ms), hashed, peak.toFixed(0), significant(ms / oursMs)].join(' | ')} |`
  })
}

/** In a process of its own. @returns what it took, or why it cannot be had: a clause */
function read(reader: Reader, { reader: name, path, delimiter, decimal, peers }: ReadRequest) {
  const script = process.argv[1]
  const request = JSON.stringify({ reader: name, path, delimiter, decimal, peers })
  const [command, args] =
    reader === 'pandas'
      ? [python, [join('bench', 'csv', 'read_with_pandas.py'), path, delimiter, decimal]]
      : [process.execPath, [script, '--read', request]]
  try {
    const printed = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    return JSON.parse(printed) as ReadResult
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return /Cannot find module|ModuleNotFound|ENOENT/.test(said)
      ? 'not installed'
      : (/Error: (.*)/.exec(said)?.[1] ?? 'failed')
  }
}
