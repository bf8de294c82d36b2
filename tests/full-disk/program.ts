import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const program = resolve('out/main/cli.js')
/** A command that has not ended by then hangs. */
const hangMs = 60_000

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export interface Way {
  /** Words before the command (SmallDisk). */
  readonly before?: readonly string[]
  /** What happens while it works. */
  readonly meanwhile?: (child: ChildProcess) => void
  /** In the place of the folder for temporary files. */
  readonly temporary?: string
}

/** The command line as it is shipped, in a process of its own. */
export function command(
  args: readonly string[],
  { before = [], meanwhile, temporary }: Way = {},
): Promise<Ended> {
  const [file, ...rest] = [...before, process.execPath, program, ...args]
  const cache = { CENTROID_LAB_CACHE_DIR: join(tmpdir(), 'centroid-lab-test-cache') }
  const env = { ...process.env, ...cache, ...(temporary !== undefined && { TMPDIR: temporary }) }
  const began = performance.now()
  const child = spawn(file, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (data: Buffer) => (said.stdout += data.toString()))
  child.stderr.on('data', (data: Buffer) => (said.stderr += data.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), hangMs)
  meanwhile?.(child)
  return new Promise((done) =>
    child.once('close', (status) => {
      clearTimeout(timer)
      done({ status, ...said, ms: performance.now() - began })
    }),
  )
}

/** Fingerprint of every file of a folder, by name; none where it is missing. */
export type Files = ReadonlyMap<string, string>

export function filesOf(folder: string): Files {
  if (!existsSync(folder)) return new Map()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, fingerprint(join(folder, name))]))
}

export function bytesOf(folder: string): number {
  return [...filesOf(folder).keys()].reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** Of what holds times only whether it is whole: by its end, or, for JSON, by being read. */
function fingerprint(path: string): string {
  const bytes = readFileSync(path)
  const ending = /[^.]*$/.exec(path)?.[0] ?? ''
  const isTimed = /(timings|speedups|history)\.csv$/.test(path)
  if (ending === 'json') return isJson(bytes.toString('utf8')) ? 'whole' : 'cut'
  if (ending === 'html') return bytes.toString('utf8').trimEnd().endsWith('</html>') ? 'whole' : 'cut'
  // The directory at the end of a ZIP file.
  if (ending === 'xlsx') return bytes.subarray(-22).readUInt32LE(0) === 0x06054b50 ? 'whole' : 'cut'
  if (isTimed) return bytes.at(-1) === 10 ? `${bytes.toString('utf8').split('\n').length} lines` : 'cut'
  return createHash('sha256').update(bytes).digest('hex')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
