import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from './run-cli'

const escape = '\x1b]0;owned\x07\x1b[2J\x9b31m\u202e'
/** Line feeds are ours. */
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

let folder = ''
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'centroid-lab-hostile-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function said(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const printed = { stdout: '', stderr: '' }
  const signal = new AbortController().signal
  await runCli(args, {
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
    signal,
    env: {},
  })
  return printed
}

function hostileFile(): string {
  const path = join(folder, `a${escape}.csv`)
  const rows = Array.from({ length: 20 }, (_, i) => `${(i * 7) % 11},${i % 3},${i % 5}`)
  writeFileSync(path, `x${escape},y,z\n${rows.join('\n')}\n`)
  return path
}

it('names of files and columns steer no terminal: tables, errors, warnings and JSON show their controls', async () => {
  const data = hostileFile()
  const cluster = ['cluster', data, '-k', '2', '--engine', 'cpu', '--variant', 'sequential']
  const table = await said([...cluster, '-o', join(folder, `out${escape}`)])
  const json = await said([...cluster, '--json'])
  const missing = await said([...cluster, '--features', `q${escape}`])
  const absent = await said(['cluster', join(folder, `no${escape}.csv`), '-k', '2'])
  const bench = await said(['bench', data, '-k', '2', '--variants', `v${escape}`])
  const all = [table, json, missing, absent, bench].flatMap(({ stdout, stderr }) => [stdout, stderr])
  for (const text of all) expect(text).not.toMatch(steering)
  expect(table.stdout).toContain('x\\x1b]0;owned\\x07')
  expect(missing.stderr).toContain('\\x1b[2J')
  expect(JSON.parse(json.stdout)).toMatchObject({ n: 20 })
})
