import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MpiRun, runAmong, whyNoMpi } from './mpi-run'
import { resultsOf } from './results'
import { writeTables, type Table } from './tables'

/** `npm run test:processes -- --kills 50` says how many; the suite of every change kills a few. */
const kills = Number(process.env['CENTROID_LAB_PROCESS_KILLS'] ?? 3)
const because = whyNoMpi(existsSync)
if (because !== null) console.warn(`Runs of several processes are not tried: ${because}.`)

const examples = resolve('examples')
let home: string
let fileOf: (table: Table) => string
let blobs: string
let ragged: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid processes '))
  if (because !== null) return
  fileOf = await writeTables(home)
  blobs = fileOf('blobs')
  ragged = fileOf('ragged')
}, 60_000)
afterAll(() => rm(home, { recursive: true, force: true }))

describe.skipIf(because !== null)('a run of several processes', () => {
  it.each([
    ['a part of a large file', () => blobs, 'Each read its part of the file.'],
    ['a part of one with lines that are no rows', () => ragged, 'Each read its part of the file.'],
    ['a part of an array', () => fileOf('f4 columns'), 'Each read its part of the file.'],
    ['a part of an Arrow file', () => fileOf('columns'), 'Each read its part of the file.'],
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
