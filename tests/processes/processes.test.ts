import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { columnFromArray, float64, int64, tableFromColumns, tableToIPC, utf8 } from '@uwdata/flechette'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MpiRun, runAmong, whyNoMpi } from './mpi-run'

/** `npm run test:processes -- --kills 50` says how many; the suite of every change kills a few. */
const kills = Number(process.env['CENTROID_LAB_PROCESS_KILLS'] ?? 3)
const because = whyNoMpi(existsSync)
if (because !== null) console.warn(`Runs of several processes are not tried: ${because}.`)

const examples = resolve('examples')
let home: string
/** Blocks of rows for four processes, so that each reads its part of the file. */
let blobs: string
/** As many rows, with all that makes a table hard to share: cells that are missing or no numbers, texts, numbers far from 0. */
let mixed: string
/** The same with lines that are no rows: above the table, blank ones, and some with too many or too few cells. */
let ragged: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid processes '))
  blobs = join(home, 'blobs.csv')
  mixed = join(home, 'mixed.csv')
  ragged = join(home, 'ragged.csv')
  const lines = mixedLines(70_000)
  writeFileSync(mixed, lines.join('\n'))
  writeFileSync(ragged, raggedTable(lines))
  for (const kind of arrayKinds) writeFileSync(arrayFile(kind), array(kind, 70_000))
  writeFileSync(columns(), arrowTable(70_000))
  if (because === null)
    await runAmong(0, ['generate', 'blobs', '-n', '70000', '-d', '5', '-k', '12', '-o', blobs])
}, 60_000)
afterAll(() => rm(home, { recursive: true, force: true }))

/** Numbers that only look like chance. */
function mixedLines(rows: number): readonly string[] {
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

const arrayKinds = ['f4 rows', 'f4 columns', 'f4 infinite', 'f8 rows', 'i8 columns'] as const
type ArrayKind = (typeof arrayKinds)[number]
const arrayFile = (kind: ArrayKind) => join(home, `${kind}.npy`)
const columns = () => join(home, 'columns.arrow')

const arrayTypes = { f4: Float32Array, f8: Float64Array, i8: BigInt64Array } as const

/** An array of three columns as NumPy writes it, a tenth of its floating-point numbers missing. */
function array(kind: ArrayKind, rows: number): Uint8Array {
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
function arrowTable(rows: number): Uint8Array {
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

type Table = 'small' | 'blobs' | 'mixed' | 'ragged' | 'columns' | ArrayKind
const cases: readonly (readonly [string, Table, readonly string[]])[] = [
  ['the usual run', 'blobs', ['-k', '12']],
  [
    'first rows, rule of labels, a history',
    'blobs',
    ['-k', '40', '--init', 'first-k', '--stop', 'labels', '--history'],
  ],
  [
    'k-means||, rule of inertia, scaled',
    'blobs',
    ['-k', '7', '--init', 'k-means||', '--stop', 'inertia', '--scaling', 'standardise'],
  ],
  [
    'a random box, empty clusters to the farthest',
    'blobs',
    ['-k', '300', '--init', 'random-box', '--empty', 'farthest', '--max-iterations', '9', '--history'],
  ],
  [
    'random rows, empty clusters dropped, three restarts',
    'blobs',
    ['-k', '30', '--init', 'random', '--empty', 'drop', '--n-init', '3', '--stop', 'coordinate-shift'],
  ],
  [
    'no rule, min-max',
    'blobs',
    ['-k', '5', '--scaling', 'min-max', '--stop', 'none', '--max-iterations', '9'],
  ],
  [
    'rows on the unit sphere, labels for NumPy',
    'blobs',
    ['-k', '5', '--scaling', 'unit-length', '--labels', 'both'],
  ],
  ['rows left out, robust', 'mixed', ['-k', '6', '--scaling', 'robust']],
  ['cells filled by the mean', 'mixed', ['-k', '6', '--missing', 'mean', '--features', 'x,y,far']],
  [
    'cells filled by the median, rows filtered',
    'mixed',
    ['-k', '6', '--missing', 'median', '--filter', 'colour = red', '--features', 'x,y'],
  ],
  [
    'texts as features',
    'mixed',
    ['-k', '6', '--features', 'x,y', '--one-hot', 'colour', '--scaling', 'standardise'],
  ],
  [
    'rows by their numbers',
    'mixed',
    ['-k', '6', '--filter', 'rows(100-40000,50001-69000)', '--features', 'x,y'],
  ],
  ['lines that are no rows', 'ragged', ['-k', '6', '--features', 'x,y', '--labels', 'both']],
  [
    'lines that are no rows, rows by their numbers',
    'ragged',
    ['-k', '6', '--features', 'x', '--filter', 'rows(20000-60000)', '--missing', 'mean'],
  ],
  ['a file that each reads whole', 'small', ['-k', '3', '--labels', 'both']],
  ['an Arrow file', 'columns', ['-k', '6', '--one-hot', 'colour', '--labels', 'both']],
  ['an array of float32', 'f4 rows', ['-k', '9', '--missing', 'mean', '--labels', 'both']],
  ['one in the order of Fortran', 'f4 columns', ['-k', '9', '--scaling', 'robust']],
  ['one with an infinite number', 'f4 infinite', ['-k', '9', '--scaling', 'standardise']],
  ['an array of float64', 'f8 rows', ['-k', '9', '--missing', 'median']],
  ['one of whole numbers', 'i8 columns', ['-k', '9']],
]

function fileOf(table: Table): string {
  if (table === 'columns') return columns()
  if (table === 'small') return join(examples, 'iris.csv')
  if (table === 'blobs' || table === 'mixed' || table === 'ragged') return { blobs, mixed, ragged }[table]
  return arrayFile(table)
}

describe.skipIf(because !== null)('a run of several processes', () => {
  it.each(cases)(
    'gives the same bytes for any number of them: %s',
    { timeout: 120_000 },
    async (name, table, options) => {
      const file = fileOf(table)
      const folderOf = (processes: number) => join(home, `${name} ${processes}`)
      const written: Record<string, string>[] = []
      for (const processes of [0, 1, 2, 3, 4]) {
        const to = folderOf(processes)
        await runAmong(processes, ['cluster', file, ...options, '-o', to])
        written.push(resultsOf(to))
      }
      for (const other of written.slice(1)) expect(other).toEqual(written[0])
    },
  )

  it.each([
    ['a part of a large file', () => blobs, 'Each read its part of the file.'],
    ['a part of one with lines that are no rows', () => ragged, 'Each read its part of the file.'],
    ['a part of an array', () => arrayFile('f4 columns'), 'Each read its part of the file.'],
    ['a part of an Arrow file', columns, 'Each read its part of the file.'],
    [
      'a small file whole',
      () => join(examples, 'iris.csv'),
      'Each read the whole file and kept its rows. The file has fewer',
    ],
  ])('says in the record how many there were, and that each read %s', async (_, file, reading) => {
    const answer = JSON.parse(await runAmong(2, ['cluster', file(), '-k', '3', '--json'])) as {
      reason: string
      stopped: string
    }
    expect(answer.reason).toContain('Each of 2 processes took a part of the rows.')
    expect(answer.reason).toContain(reading)
  })

  it.each([1, 3])(
    'verifies as identical without mpirun, by %i threads',
    { timeout: 60_000 },
    async (threads) => {
      const to = join(home, `verified by ${threads}`)
      await runAmong(3, ['cluster', ragged, '-k', '6', '--features', 'x,y', '--missing', 'mean', '-o', to])
      const verify = ['verify', join(to, 'run.json'), '--data', ragged, '--json']
      const answer = JSON.parse(
        await runAmong(0, verify, { CENTROID_LAB_THREADS: String(threads) }),
      ) as object
      expect(answer).toMatchObject({ verdict: 'identical', differences: [] })
    },
  )

  it('writes its part of the labels in each of them, so that these do not come to the first', async () => {
    const facts = join(home, 'facts')
    mkdirSync(facts)
    const args = ['cluster', blobs, '-k', '5', '--labels', 'both', '-o', join(home, 'own parts')]
    await runAmong(2, args, { CENTROID_LAB_PROCESS_FACTS: facts })
    const { traffic } = JSON.parse(readFileSync(join(facts, '1.json'), 'utf8')) as {
      traffic: { messageBytes: number }
    }
    // Labels come there once, for their hash: 4 bytes each.
    expect(traffic.messageBytes).toBeLessThan(8 * 35_000)
  })

  it.each([
    [['scan', blobs, '--k-min', '2', '--k-max', '3'], "Only 'cluster' shares its rows among processes"],
    [['cluster', blobs, '-k', '3', '--engine', 'webgpu'], '--engine under mpirun'],
    [['cluster', blobs, '-k', '3', '--variant', 'openmp'], '--variant under mpirun'],
    [['cluster', join(examples, 'no such file.csv'), '-k', '3'], 'no such file.csv'],
    [['cluster', blobs, '-k', '0'], '-k'],
  ])('refuses what they cannot do together, in one sentence: %j', async (args, sentence) => {
    const { status, stdout, stderr } = await new MpiRun(3, args).ended
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(ownLines(stderr)).toHaveLength(1)
    expect(stderr).toContain(sentence)
  })

  it(
    `ends where a process is killed, ${kills} times, with nothing half-written`,
    { timeout: 60_000 + kills * 20_000 },
    async () => {
      const args = (to: string) => ['cluster', blobs, '-k', '12', '--seed', '5', '-o', to]
      const whole = join(home, 'not killed')
      const began = performance.now()
      await runAmong(3, args(whole))
      const takes = performance.now() - began
      let atWork = 0
      let hung = 0
      for (let kill = 0; kill < kills; kill++) {
        const to = join(home, `killed ${kill}`)
        const run = new MpiRun(3, args(to))
        await delay(takes * ((kill + 0.5) / kills))
        const victim = run.ranks().get(kill % 3)
        if (victim !== undefined) process.kill(victim, 'SIGKILL')
        const { status, stderr } = await run.endedWithLauncher()
        if (run.launcherHung) hung++
        expect(ownLines(stderr).length).toBeLessThanOrEqual(1)
        if (victim !== undefined && status !== 0) atWork++
        expect(await gone(run)).toBe(true)
        expectWholeOrAbsent(to, whole)
      }
      console.warn(
        `${kills} kills, ${atWork} of them in the middle of the work, ${hung} that the launcher itself did not survive`,
      )
      expect(atWork).toBeGreaterThan(0)
    },
  )

  it(
    'ends where a process is stopped, after the deadline, in one sentence',
    { timeout: 60_000 },
    async () => {
      const endless = ['cluster', blobs, '-k', '200', '--stop', 'none', '--max-iterations', '100000']
      const run = new MpiRun(3, endless, { CENTROID_LAB_PROCESS_DEADLINE: '2' })
      await delay(2500)
      process.kill(run.ranks().get(1) ?? 0, 'SIGSTOP')
      const { status, stdout, stderr } = await run.ended
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr.match(/gave no sign for 2 s/g)).toHaveLength(1)
      expect(await gone(run)).toBe(true)
    },
  )
})

/** Of Open MPI's launcher, about its own connections. */
const launcherLine = /PMIX ERROR|^\[warn\] Epoll|^\[[^\]]+:\d+\]/

/** What the program itself says: the launcher adds lines of its own about how the processes ended. */
function ownLines(stderr: string): readonly string[] {
  const [own] = stderr.split(/^-{20,}/m)
  return own.split('\n').filter((line) => line !== '' && !launcherLine.test(line))
}

/** Result files; run.json has times in it. */
function resultsOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !/run\.json|history\.csv|timings\.csv/.test(name))
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const record = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as Record<string, unknown>
  return {
    ...files,
    // What is said of the file and of the data, and how the rows became points.
    ...Object.fromEntries(
      ['file', 'import', 'features', 'preparation'].map((key) => [key, JSON.stringify(record[key])]),
    ),
    warnings: JSON.stringify((record['results'] as Record<string, unknown>)['warnings']),
    result_sha256: JSON.stringify(record).match(/"(?:result_sha256|resultSha256)":"(\w+)"/)?.[1] ?? '',
  }
}

/** Of a lock, and of a file or folder that is being written (engine/export). */
const hiddenName = /^\.centroid-lab-|^\..*\.centroid-lab\.tmp$/

/** Files of an ended run are those of a whole one, however many of them are there; a file begun has a hidden name of its own. */
function expectWholeOrAbsent(folder: string, whole: string): void {
  if (!existsSync(folder)) return
  const expected = resultsOf(whole)
  for (const name of readdirSync(folder).filter((each) => !hiddenName.test(each))) {
    expect(readdirSync(whole)).toContain(name)
    const text = readFileSync(join(folder, name), 'utf8')
    if (name in expected) expect(text).toBe(expected[name])
    else if (name.endsWith('.json')) expect(() => JSON.parse(text) as unknown).not.toThrow()
  }
}

async function gone(run: MpiRun): Promise<boolean> {
  for (let look = 0; look < 100; look++) {
    if (run.ranks().size === 0) return true
    await delay(100)
  }
  return false
}
