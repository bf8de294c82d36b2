import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// What the system really refuses, of the program as it is shipped: the test command builds it first.
const program = resolve('out/main/cli.js')
const unbuilt = !existsSync(program)
if (unbuilt) console.warn(`SKIPPED: the tests of the system's limits need ${program} (npm run build)`)

const iris = resolve('examples/iris.csv')
const longName = 'n'.repeat(300)
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-limits-'))
  symlinkSync('loop.csv', join(folder, 'loop.csv'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a line of shell in which `$LAB` is the program. */
function shell(line: string, cwd = folder) {
  const LAB = `'${process.execPath}' '${program}'`
  const env = { ...process.env, CENTROID_LAB_CACHE_DIR: join(tmpdir(), 'centroid-lab-test-cache') }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line.replaceAll('$LAB', LAB)], {
    cwd,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** One sentence, no stack trace, and not the words for a fault of ours or a changed file. */
function expectSentence(stderr: string): void {
  const said = stderr.trim().split('\n').at(-1) ?? ''
  expect(said).toMatch(/^\S.*: .*\.$/)
  expect(stderr).not.toMatch(/^ +at |went wrong inside|not as it was|node:internal|GCs/m)
}

describe.skipIf(unbuilt)(`what the system refuses${unbuilt ? ' (SKIPPED: not built)' : ''}`, () => {
  const cluster = `$LAB cluster '${iris}' -k 3 --engine cpu --variant sequential`

  it.each([
    ['a circle of links', 'loop.csv', 'loop.csv', /symbolic links on its path lead round in a circle/],
    ['a name too long', `${longName}.csv`, longName, /a name in its path is longer than the disk allows/],
  ])('%s is what it is called, to read and to write', (_, file, target, words) => {
    const read = shell(`$LAB cluster ${file} -k 3`)
    expect(read).toMatchObject({ status: 2, stderr: expect.stringMatching(words) })
    const write = shell(`${cluster} -o ${target}`)
    expect(write).toMatchObject({ status: 1, stderr: expect.stringMatching(words) })
    for (const { stderr } of [read, write]) expectSentence(stderr)
  })

  it('a working directory that was removed', () => {
    const gone = join(folder, 'gone')
    for (const rest of ['cluster a.csv -k 3', `cluster '${iris}' -k 3 -o out`, 'generate uniform -o a.csv']) {
      mkdirSync(gone)
      const { status, stderr } = shell(`rmdir ../gone; $LAB ${rest}`, gone)
      expect(stderr).toMatch(/^The folder in which this program was started no longer exists: change to/m)
      expect(status).toBe(2)
    }
  })

  it('file descriptors, from those the program itself needs to those of a run with its files', () => {
    // Node alone needs some twenty; what it says where it has not even those is its own affair.
    const enough = [...Array(30).keys()].find((files) =>
      shell(`ulimit -n ${files}; $LAB --version`).stderr.includes('raise the limit'),
    )
    for (let files = enough ?? 0; files <= (enough ?? 0) + 8; files++) {
      const { status, stderr } = shell(`ulimit -n ${files}; ${cluster} -o run-${files}`)
      if (status === 0) continue
      expect(stderr).toMatch(/has as many files open as it may: raise the limit \(ulimit -n\)/)
      expectSentence(stderr)
    }
    expect(enough).toBeGreaterThan(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('addresses, from too few for the columns to too few for the points', () => {
    const row = () => Array.from({ length: 8 }, () => Math.random()).join(',')
    const rows = Array.from({ length: 100_000 }, row).join('\n')
    writeFileSync(join(folder, 'large.csv'), `a,b,c,d,e,f,g,h\n${rows}\n`)
    const node = shell(
      `'${process.execPath}' -p "/VmSize:\\s+(\\d+)/.exec(fs.readFileSync('/proc/self/status'))[1]"`,
    )
    const statuses = [100, 200, 250, 300, 350, 400].map((mebibytes) => {
      const limit = Number(node.stdout) + mebibytes * 1024
      const { status, stderr } = shell(
        `ulimit -v ${limit}; $LAB cluster large.csv -k 4 --engine cpu --variant sequential`,
      )
      if (status === 0) return status
      expectSentence(stderr)
      expect(stderr).toMatch(/memory|address space/)
      return status
    })
    expect(statuses.slice(0, 3)).toEqual([1, 1, 1])
  })
})
