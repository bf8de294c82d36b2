import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { anotherProcess, anotherVariable } from './another-process'

const never = new AbortController().signal
const [node, program] = process.argv
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'another-process-'))
  const script = join(folder, 'program.mjs')
  const waits = "if (process.argv[2] === 'wait') setInterval(() => undefined, 1000)"
  const prints = `process.stdout.write(JSON.stringify([process.argv.slice(2), process.env.${anotherVariable}]))`
  await writeFile(script, `${waits}\nelse { ${prints}\nprocess.exitCode = 3 }\n`)
  vi.spyOn(process, 'execArgv', 'get').mockReturnValue([])
  process.argv = [node, script]
})
afterAll(async () => {
  process.argv = [node, program]
  await rm(folder, { recursive: true, force: true })
})

it('is this program with other arguments, and knows that it is another', async () => {
  const { status, stdout } = await anotherProcess(['engines', '--json'], true, never)
  expect([status, JSON.parse(stdout)]).toEqual([3, [['engines', '--json'], '1']])
})

it('ends with this one', async () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 200)
  expect((await anotherProcess(['wait'], true, controller.signal)).status).toBe(1)
})
