/**
 * Full disks, and sources that change while they are read, at random points of what the command line does. A point passes where the
 * command either did all it was asked, to the byte, or said in one sentence what is wrong and left nothing half-written.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { smallDisk, wayOfSmallDisks } from './disk'

const program = resolve('out/main/cli.js')
/** A command that has not ended by then hangs. */
const hangMs = 60_000

interface Ended {
  readonly status: number | null
  readonly stderr: string
}

interface Report {
  readonly way: string
  readonly counts: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

/** Mulberry32: the points of a seed are the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function command(
  before: readonly string[],
  args: readonly string[],
  meanwhile?: (child: ChildProcess) => void,
): Promise<Ended> {
  const [file, ...rest] = [...before, process.execPath, program, ...args]
  const cache = join(tmpdir(), 'centroid-lab-test-cache')
  const child = spawn(file, rest, {
    env: { ...process.env, CENTROID_LAB_CACHE_DIR: cache },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const timer = setTimeout(() => child.kill('SIGKILL'), hangMs)
  meanwhile?.(child)
  return new Promise((done) =>
    child.once('close', (status) => {
      clearTimeout(timer)
      done({ status, stderr })
    }),
  )
}

/** Bytes of every file of a folder, by name; of a JSON document only that it is one, for its times differ. */
function contents(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, fingerprint(join(folder, name))]))
}

function fingerprint(path: string): string {
  const bytes = readFileSync(path)
  if (!path.endsWith('.json')) return createHash('sha256').update(bytes).digest('hex')
  JSON.parse(bytes.toString('utf8'))
  return 'a whole document'
}

const progressLine =
  /^(reading|writing|planning|Going on|[\d]+ of [\d]+ runs|preparing|seeding|iteration|run )/

/** What is wrong with how a command failed, or null. */
function faultOfFailure({ status, stderr }: Ended): string | null {
  if (status === null) return `it did not end within ${hangMs} ms, or was killed`
  if (status !== 1 && status !== 2) return `status ${status}: ${stderr}`
  const lines = stderr.split('\n').filter((line) => line !== '' && !progressLine.test(line))
  const last = lines.at(-1) ?? ''
  if (!/^\S.* .*[.]$/.test(last)) return `no sentence at the end: ${stderr}`
  if (/\bat .*:\d+:\d+|\bENOSPC\b|\bEFBIG\b|went wrong inside|undefined/.test(stderr))
    return `not a sentence for people: ${stderr}`
  return null
}

/** What is left must be a part of the whole result, each file whole. */
function faultOfFiles(left: ReadonlyMap<string, string>, whole: ReadonlyMap<string, string>): string | null {
  for (const [name, bytes] of left) {
    if (name.startsWith('.')) return `${name} is left behind`
    const wanted = whole.get(name)
    if (wanted === undefined) return `${name} was not asked for`
    if (wanted !== bytes && !volatile.test(name)) return `${name} is not what it should be`
  }
  return null
}

/** Files that hold times. */
const volatile = /^(timings|speedups)\.csv$|\.xlsx$|\.html$|^history\.csv$/

/** @returns what was tried, how often, and what went wrong */
export async function runPoints(points: number, seed: number, say: (line: string) => void): Promise<Report> {
  const random = randomOf(seed)
  const home = mkdtempSync(join(tmpdir(), 'centroid-lab-full-'))
  const way = wayOfSmallDisks()
  const data = join(home, 'data.csv')
  await command([], ['generate', 'blobs', '-n', '20000', '-d', '3', '-k', '5', '--seed', '3', '-o', data])
  const counts: Record<string, number> = {}
  const faults: string[] = []
  const kinds = {
    'full disk, cluster': () => fullDisk(['cluster', data, ...fixedRun, '--history', '--steps', '2', '-o']),
    'full disk, generate': () =>
      fullDisk(['generate', 'uniform', '-n', '20000', '--seed', '5', '-o'], 'points.csv'),
    'full disk, benchmark': () =>
      fullDisk(['bench', data, '-k', '3', '--variants', 'sequential', '--repeats', '1', '-o']),
    'full disk, checkpoint': () => fullCheckpoint(),
    'source changes': () => changingSource(),
  }
  const wholes = new Map<string, { readonly files: Map<string, string>; readonly bytes: number }>()

  async function wholeOf(
    args: readonly string[],
    name: string,
  ): Promise<{ files: Map<string, string>; bytes: number }> {
    const key = args.join(' ')
    const known = wholes.get(key)
    if (known !== undefined) return known
    const folder = mkdtempSync(join(home, 'whole-'))
    await command([], [...args, join(folder, name)])
    const target = name === '' || name === 'out' ? join(folder, 'out') : folder
    const files = contents(target)
    const bytes = [...files.keys()].reduce((sum, file) => sum + statSync(join(target, file)).size, 0)
    const whole = { files, bytes }
    wholes.set(key, whole)
    return whole
  }

  async function fullDisk(args: readonly string[], name = 'out'): Promise<string | null> {
    const whole = await wholeOf(args, name)
    // A generator refuses what surely does not fit: most of its points lie where it must find out.
    const share = name === 'out' || random() < 0.3 ? random() * 1.1 : 0.85 + random() * 0.2
    const disk = smallDisk(way, Math.floor(share * whole.bytes))
    try {
      const ended = await command(disk.before, [...args, join(disk.folder, name)])
      const at = name === 'out' ? join(disk.folder, 'out') : disk.folder
      const left =
        readdirSync(disk.folder).includes('out') || name !== 'out' ? contents(at) : new Map<string, string>()
      const files = faultOfFiles(left, whole.files)
      if (files !== null) return `${files}; ${ended.stderr}`
      if (ended.status === 0)
        return left.size === whole.files.size ? null : 'it says done, but files are missing'
      return faultOfFailure(ended)
    } finally {
      disk.close()
    }
  }

  /** Cancelled after a while: the run says whether it is kept, and what is kept can be gone on with. */
  async function fullCheckpoint(): Promise<string | null> {
    const fits = random() < 0.3
    const disk = smallDisk(way, fits ? 2 ** 26 : Math.floor(random() * 1000))
    const endless = ['--stop', 'none', '--max-iterations', '100000000', '--checkpoint', disk.folder]
    const args = ['cluster', data, '-k', '5', '--engine', 'cpu', '--variant', 'sequential', ...endless]
    try {
      const { status, stderr } = await command(disk.before, args, (child) => {
        setTimeout(() => child.kill('SIGINT'), 2500 + random() * 2000)
      })
      const names = readdirSync(disk.folder)
      const isKept = names.length === 1 && names[0].endsWith('.checkpoint')
      if (names.length > 0 && !isKept) return `${names.join()} is left in the folder of the checkpoint`
      if (status !== 130) return `status ${status}: ${stderr}`
      if (/ENOSPC|EFBIG/.test(stderr)) return `not a sentence for people: ${stderr}`
      const promised = stderr.includes('is kept in')
      return promised === isKept && isKept === fits ? null : `kept: ${isKept}, on a disk ${fits}: ${stderr}`
    } finally {
      disk.close()
    }
  }

  /** Truncated, grown, replaced or gone while it is loaded, clustered and read again for labels.csv. */
  async function changingSource(): Promise<string | null> {
    const folder = mkdtempSync(join(home, 'source-'))
    const source = join(folder, 'source.csv')
    copyFileSync(data, source)
    const whole = (await wholeOf(['cluster', data, ...fixedRun, '-o'], 'out')).files
    const size = statSync(source).size
    const changes = [
      () => truncateSync(source, Math.floor(random() * size)),
      () => appendFileSync(source, '1,2,3\n'.repeat(1 + Math.floor(random() * 100))),
      () => rmSync(source),
      () => writeFileSync(source, 'x,y,z\n9,9,9\n'),
    ]
    const change = changes[Math.floor(random() * changes.length)]
    const later = random() * 900
    let timer: NodeJS.Timeout | undefined
    const meanwhile = () => {
      timer = setTimeout(change, later)
    }
    const ended = await command([], ['cluster', source, ...fixedRun, '-o', join(folder, 'out')], meanwhile)
    clearTimeout(timer)
    const left = readdirSync(folder).includes('out')
      ? contents(join(folder, 'out'))
      : new Map<string, string>()
    for (const name of left.keys()) if (name.startsWith('.')) return `${name} is left behind`
    if (ended.status !== 0) return faultOfFailure(ended)
    // What was there before the change, or a table that is whole by itself: never a mixture.
    const isOld = [...left].every(([name, bytes]) => whole.get(name) === bytes)
    const labels =
      readFileSync(join(folder, 'out', 'labels.csv'), 'utf8')
        .trimEnd()
        .split('\n').length - 1
    const { results } = JSON.parse(readFileSync(join(folder, 'out', 'run.json'), 'utf8')) as {
      results: { n: number }
    }
    return isOld || labels >= results.n ? null : `labels.csv has ${labels} rows of ${results.n} points`
  }

  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  for (let point = 0; point < points; point++) {
    const name = names[point % names.length]
    const fault = await kinds[name]().catch((error: unknown) => `the check itself failed: ${String(error)}`)
    counts[name] = (counts[name] ?? 0) + 1
    if (fault !== null) faults.push(`point ${point}, ${name}: ${fault}`)
    if (point % 10 === 9) say(`${point + 1} of ${points} points, ${faults.length} faults`)
  }
  rmSync(home, { recursive: true, force: true })
  return { way, counts, faults }
}

const fixedRun = [
  '-k',
  '5',
  '--engine',
  'cpu',
  '--variant',
  'sequential',
  '--stop',
  'none',
  '--max-iterations',
  '30',
]
