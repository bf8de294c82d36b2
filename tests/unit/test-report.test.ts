import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reportProblems } from '../../scripts/lib/problems.mjs'
import { runStages } from '../../scripts/lib/run-stages.mjs'
import { outcomeOf } from '../../scripts/lib/stages.mjs'
import { reportVariable } from '../../scripts/lib/test-report.mjs'

const good = { passed: 5, failed: 0, skipped: 1, problems: [], retried: [] }

describe('the outcome of a suite', () => {
  it('is what its report says', () => {
    const problems = [{ name: 'a.test.ts > adds', message: 'expected 2 to be 3' }]
    const report = { ...good, failed: 1, problems }
    expect(outcomeOf('unit', JSON.stringify(report), 1)).toEqual(report)
    expect(outcomeOf('unit', JSON.stringify(good), 0)).toEqual(good)
  })

  it('is a failure with a name when a suite ends badly without a failed test', () => {
    for (const text of [null, '{"passed":3', '{}']) {
      const { failed, problems } = outcomeOf('unit', text, 1)
      expect(failed).toBe(1)
      expect(problems).toMatchObject([{ name: 'unit', message: expect.stringContaining('status 1') }])
    }
    expect(outcomeOf('unit', JSON.stringify(good), 1)).toMatchObject({ failed: 1, problems: [{}] })
    expect(outcomeOf('unit', JSON.stringify({ ...good, passed: 0 }), 0).failed).toBe(1)
  })
})

describe('the report of a suite', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'report '))
  })

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('names failed tests, broken files, errors outside of tests and tests that passed on a retry', () => {
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(folder, name), lines.join('\n'))
    write('sums.test.ts', [
      'let tries = 0',
      'describe("sums", () => {',
      '  it("are right", () => expect(1 + 1).toBe(2))',
      '  it("are wrong", () => expect(1 + 1).toBe(3))',
      '  it("take time", { retry: 2 }, () => expect(++tries).toBe(2))',
      '})',
    ])
    write('broken.test.ts', ['throw new Error("cannot be loaded")'])
    write('late.test.ts', ['it("leaves something", () => void Promise.reject(new Error("too late")))'])
    const path = join(folder, 'report.json')
    const args = [
      'run',
      '--globals',
      '--root',
      folder,
      `--reporter=${resolve('scripts/lib/test-report.mjs')}`,
    ]
    const { status } = spawnSync(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), ...args], {
      cwd: folder,
      env: { ...process.env, [reportVariable]: path },
    })
    expect(status).toBe(1)
    const report = outcomeOf('unit', readFileSync(path, 'utf8'), 1)
    expect(report).toMatchObject({ passed: 3, failed: 1, skipped: 0 })
    expect(report.problems).toEqual([
      { name: 'sums.test.ts > sums > are wrong', message: expect.stringContaining('expected 2 to be 3') },
      { name: 'broken.test.ts', message: 'cannot be loaded' },
      { name: 'outside of tests', message: 'too late' },
    ])
    expect(report.retried).toMatchObject([{ name: 'sums.test.ts > sums > take time' }])
  })
})

describe('the words about what failed', () => {
  const problem = (name: string) => ({
    name,
    message: `\u001b[31mone\u001b[39m\n\ntwo\nthree\nfour of ${name}`,
  })

  it('are the names and the first lines of the messages, and what was tried again', () => {
    expect(reportProblems([problem('a')], [{ name: 'b', message: 'late' }])).toBe(
      [
        'Failed:',
        '  a',
        '      one',
        '      two',
        '      three',
        '',
        'Passed only on a retry:',
        '  b',
        '      late',
      ].join('\n'),
    )
    expect(reportProblems([], [])).toBe('')
  })

  it('stay short, and say how many are left out', () => {
    const many = Array.from({ length: 50 }, (_, at) => problem(`test ${at}`))
    const lines = reportProblems(many, many).split('\n')
    expect(lines.length).toBeLessThan(55)
    expect(lines).toContain('  test 8')
    expect(lines).toContain('  and 41 more, see above')
  })
})

describe('stages', () => {
  it('run two at a time where they may, the others alone and last, and are told in their order', async () => {
    let running = 0
    const seen: string[] = []
    const stage = (name: string, milliseconds: number, shared: boolean) => ({
      name,
      shared,
      run: async () => {
        seen.push(`${name} beside ${running++}`)
        await new Promise((resolve) => setTimeout(resolve, milliseconds))
        running--
        return good
      },
    })
    const rows = await runStages([
      stage('a', 40, true),
      stage('b', 5, true),
      stage('c', 5, true),
      stage('d', 5, false),
    ])
    expect(seen).toEqual(['a beside 0', 'b beside 1', 'c beside 1', 'd beside 0'])
    expect(rows).toMatchObject(['a', 'b', 'c', 'd'].map((name) => ({ name, passed: 5 })))
  })
})
