import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
let blobs: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid processes '))
  blobs = join(home, 'blobs.csv')
  if (because === null)
    await runAmong(0, ['generate', 'blobs', '-n', '30000', '-d', '5', '-k', '12', '-o', blobs])
}, 60_000)
afterAll(() => rm(home, { recursive: true, force: true }))

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['the usual run', ['-k', '12']],
  [
    'first rows, rule of labels, a history',
    ['-k', '40', '--init', 'first-k', '--stop', 'labels', '--history'],
  ],
  [
    'k-means||, rule of inertia, scaled',
    ['-k', '7', '--init', 'k-means||', '--stop', 'inertia', '--scaling', 'standardise'],
  ],
  [
    'a random box, empty clusters to the farthest',
    ['-k', '60', '--init', 'random-box', '--empty', 'farthest'],
  ],
  [
    'random rows, empty clusters dropped, three restarts',
    ['-k', '30', '--init', 'random', '--empty', 'drop', '--n-init', '3', '--stop', 'coordinate-shift'],
  ],
]

describe.skipIf(because !== null)('a run of several processes', () => {
  it.each(cases)(
    'gives the same bytes for any number of them: %s',
    { timeout: 120_000 },
    async (name, options) => {
      const folderOf = (processes: number) => join(home, `${name} ${processes}`)
      const written: Record<string, string>[] = []
      for (const processes of [0, 1, 2, 3, 4]) {
        const to = folderOf(processes)
        await runAmong(processes, ['cluster', blobs, ...options, '-o', to])
        written.push(resultsOf(to))
      }
      for (const other of written.slice(1)) expect(other).toEqual(written[0])
    },
  )

  it('says in the record how many there were', async () => {
    const answer = JSON.parse(await runAmong(2, ['cluster', blobs, '-k', '3', '--json'])) as {
      reason: string
      stopped: string
    }
    expect(answer.reason).toContain('Each of 2 processes took a part of the rows.')
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
    result_sha256: JSON.stringify(record).match(/"(?:result_sha256|resultSha256)":"(\w+)"/)?.[1] ?? '',
  }
}

/** Files of an ended run are those of a whole one, however many of them are there; a file begun has a hidden name of its own. */
function expectWholeOrAbsent(folder: string, whole: string): void {
  if (!existsSync(folder)) return
  const expected = resultsOf(whole)
  for (const name of readdirSync(folder).filter((each) => !each.startsWith('.centroid-lab-'))) {
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
