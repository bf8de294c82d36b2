import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// The pages speak of the built program: the test command builds it first, vitest alone does not.
const program = resolve('out/main/cli.js')
const unbuilt = !existsSync(program)
if (unbuilt) console.warn(`SKIPPED: the commands of docs/ need ${program} (npm run build)`)

const pages = ['README.md', 'docs/guide.md', 'docs/numerics.md', 'docs/developing.md']
/** A piece of shell, and lines it prints: those of the `text` that follows it. */
const piece = /^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms
const pieces = ['docs/guide.md', 'docs/numerics.md'].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(piece)].map(([, shell = '', printed = '']) => ({
    page,
    shell,
    printed: lines(printed),
  })),
)

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-guide-'))
  cpSync('examples', join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  const start = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  writeFileSync(join(folder, 'bin', 'centroid-lab'), start, { mode: 0o755 })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(unbuilt)('commands work as they are written', () => {
  it.each(pieces)('$page: $shell', async ({ shell, printed }) => {
    const env = {
      ...process.env,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      CENTROID_LAB_CACHE_DIR: join(tmpdir(), 'centroid-lab-test-cache'),
    }
    const { stdout } = await promisify(execFile)('sh', ['-ec', shell], { cwd: folder, env })
    expect(stdout).not.toBe('')
    expect(lines(stdout)).toEqual(expect.arrayContaining(printed))
  })
})

describe.each(pages)('%s', (page) => {
  it('links to what there is', () => {
    const targets = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(
      ([, target = '']) => join(dirname(page), target),
    )
    expect(targets.filter((target) => !existsSync(target))).toEqual([])
  })
})

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
