import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from './run-cli'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'centroid-lab-generate-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function lab(args: readonly string[], signal = new AbortController().signal) {
  const said = { stdout: '', stderr: '' }
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    signal,
    env: {},
  })
  return { status, ...said }
}

describe('generate', () => {
  it('writes the points of a shape and says where', async () => {
    const file = join(folder, 'rings.txt')
    const made = await lab(['generate', 'rings', '-n', '40', '--format', 'headed', '--json', '-o', file])
    const text = readFileSync(file, 'utf8')
    expect(made).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ file, bytes: text.length, shape: 'rings', n: 40, k: 3 })
    expect(text.trimEnd().split('\n')).toHaveLength(43)
  })

  it('replaces a file only with --force', async () => {
    const file = join(folder, 'a.csv')
    await lab(['generate', 'uniform', '-n', '3', '-o', file])
    const before = readFileSync(file, 'utf8')
    const refused = await lab(['generate', 'uniform', '-n', '3', '--seed', '2', '-o', file])
    expect(refused).toMatchObject({
      status: 2,
      stderr: `${file} already exists: add --force to replace it, or choose another file with -o.\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect((await lab(['generate', 'uniform', '-n', '3', '--seed', '2', '-o', file, '--force'])).status).toBe(
      0,
    )
    expect(readFileSync(file, 'utf8')).not.toBe(before)
  })

  it('says that a link to nowhere is in the way', async () => {
    const file = join(folder, 'a.csv')
    symlinkSync(join(folder, 'gone.csv'), file)
    for (const force of [[], ['--force']]) {
      expect(await lab(['generate', 'uniform', '-n', '3', '-o', file, ...force])).toEqual({
        status: 1,
        stdout: '',
        stderr: `${file} is a link to what is not there: remove it, or choose another file.\n`,
      })
    }
  })

  it.each([
    ['cubes -o x.csv', "Expected one of uniform, blobs, rings, moons for the shape but received 'cubes'."],
    ['-o x.csv', 'Expected one shape for generate but received nothing.'],
    ['blobs', 'Expected a file for -o but received nothing.'],
    ['blobs -n 0 -o x.csv', "Expected a whole number of at least 1 for -n but received '0'."],
    [
      'moons -d 1 -o x.csv',
      'The number of features of moons must be a whole number from 2 to 10000, but it is 1.',
    ],
    ['blobs --noise 1.5 -o x.csv', 'The share of noise must be a number from 0 to 1, but it is 1.5.'],
    [
      'moons -k 4 -o x.csv',
      '-k has no effect on moons: leave it out, or choose blobs, rings or --format headed.',
    ],
    [
      'uniform --noise 0.1 -o x.csv',
      '--noise has no effect on uniform: leave it out, or choose blobs, rings, moons.',
    ],
    ['blobs --format xml -o x.csv', "Expected one of csv, headed for --format but received 'xml'."],
  ])('%s is refused in one sentence', async (args, sentence) => {
    expect(await lab(['generate', ...args.split(' ')])).toEqual({
      status: 2,
      stdout: '',
      stderr: `${sentence}\n`,
    })
  })

  it('says before it starts that the disk is too small', async () => {
    const said = await lab(['generate', 'uniform', '-n', '1000000000000', '-o', join(folder, 'a.csv')])
    expect(said.status).toBe(1)
    expect(said.stderr).toMatch(
      /^a\.csv would take about [\d.]+ TiB, but the disk of \S+ has [\d.]+ [MGT]iB free: .*\.\n$/,
    )
  })

  it.skipIf(!existsSync('/proc/self'))('says of a place that takes no files that it does not', async () => {
    const said = await lab(['generate', 'uniform', '-n', '10', '-o', '/proc/x.csv'])
    expect(said.status).toBe(1)
    expect(said.stderr).toBe(
      'Nothing can be made in /proc, which belongs to the system: choose a folder on a disk.\n',
    )
  })

  it('is cancelled with 130 and leaves no file', async () => {
    const stop = new AbortController()
    const late = lab(['generate', 'uniform', '-n', '50000000', '-o', join(folder, 'a.csv')], stop.signal)
    setTimeout(() => stop.abort(), 50)
    expect(await late).toEqual({ status: 130, stdout: '', stderr: 'Cancelled.\n' })
    expect(readdirSync(folder)).toEqual([])
  })
})
