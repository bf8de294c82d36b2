import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
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

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid processes '))
  blobs = join(home, 'blobs.csv')
  mixed = join(home, 'mixed.csv')
  writeFileSync(mixed, mixedTable(70_000))
  if (because === null)
    await runAmong(0, ['generate', 'blobs', '-n', '70000', '-d', '5', '-k', '12', '-o', blobs])
}, 60_000)
afterAll(() => rm(home, { recursive: true, force: true }))

/** Numbers that only look like chance. */
function mixedTable(rows: number): string {
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
      row === 60_000 ? 5 : row * 7 + 3,
    ].join(',')
  return ['row id,x,y,far,colour,code', ...Array.from({ length: rows }, (_, row) => line(row))].join('\n')
}

type Table = 'blobs' | 'mixed'
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
]

describe.skipIf(because !== null)('a run of several processes', () => {
  it.each(cases)(
    'gives the same bytes for any number of them: %s',
    { timeout: 120_000 },
    async (name, table, options) => {
      const file = { blobs, mixed }[table]
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
    warnings: JSON.stringify(record['warnings']),
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
