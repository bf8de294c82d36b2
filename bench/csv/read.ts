/** One read of a file by one reader, in a process of its own: prints `{ ms, rows, peakBytes }`. */
import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import Papa from 'papaparse'
import { openDataset } from '@engine/csv/open-dataset'
import { hashed, type Dataset } from '@engine/dataset/dataset'
import { loadCpuAddon } from '@engine/engines/native'

const never = new AbortController().signal

export interface ReadRequest {
  readonly reader: NodeReader
  readonly path: string
  readonly delimiter: string
  readonly decimal: string
  /** Folder whose node_modules hold polars and DuckDB; empty for none. */
  readonly peers: string
}

export type NodeReader = 'native' | 'text' | 'papaparse' | 'polars' | 'duckdb'

export interface ReadResult {
  /** Until the columns are there. */
  readonly ms: number
  /** Until the SHA-256 of the file is there as well; of ours alone. */
  readonly hashedMs?: number
  readonly rows: number
  readonly peakBytes: number
}

export async function readOnce(request: ReadRequest): Promise<ReadResult> {
  const work = await readers[request.reader](request)
  const began = performance.now()
  const read = await work()
  const ms = performance.now() - began
  const rows = typeof read === 'number' ? read : read.rows
  const hashedMs =
    typeof read === 'number' ? undefined : await hashed(read).then(() => performance.now() - began)
  return { ms, rows, peakBytes: process.resourceUsage().maxRSS * 1024, ...(hashedMs && { hashedMs }) }
}

/** Rows, or what is hashed once they are there. */
type Read = () => Promise<number | Dataset>

/** Makes ready what is not timed. */
const readers: Readonly<Record<NodeReader, (request: ReadRequest) => Promise<Read>>> = {
  native: ours({}),
  text: ours({ text: true }),
  async papaparse({ path, delimiter }) {
    return () =>
      new Promise((resolve, reject) => {
        let rows = 0
        Papa.parse(createReadStream(path), {
          ...{ delimiter, header: false, dynamicTyping: true, error: reject },
          chunk: ({ data }) => (rows += data.length),
          complete: () => resolve(rows - 1),
        })
      })
  },
  async polars({ path, delimiter, decimal, peers }) {
    const loaded = peerOf(peers, 'nodejs-polars') as {
      readCSV(path: string, options: object): { readonly height: number }
    }
    if (decimal === ',') throw new Error('reads no decimal commas')
    return async () => loaded.readCSV(path, { sep: delimiter, inferSchemaLength: 1000 }).height
  },
  async duckdb({ path, delimiter, decimal, peers }) {
    const { DuckDBInstance } = peerOf(peers, '@duckdb/node-api') as {
      DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckConnection> }> }
    }
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const how = `delim='${delimiter}', decimal_separator='${decimal}', header=true`
    return async () => {
      await connection.run(`create table t as select * from read_csv('${path}', ${how})`)
      const counted = await connection.runAndReadAll('select count(*) from t')
      return Number(counted.getRows()[0][0])
    }
  },
}

interface DuckConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly unknown[])[] }>
}

function ours(wish: { readonly text?: true }) {
  return async ({ path, delimiter, decimal }: ReadRequest) => {
    // As the others' libraries are, the addon is loaded before.
    loadCpuAddon()
    const overrides = { delimiter: delimiter as ',' | ';', decimal: decimal as '.' | ',' }
    return () => openDataset(path, overrides, () => undefined, never, wish)
  }
}

function peerOf(peers: string, name: string): unknown {
  return createRequire(join(peers, 'package.json'))(name)
}
