import { toErrorReport } from '@shared/errors'
import { runCli } from './run-cli'

/** A second Ctrl-C means "now"; one that comes with the first (terminal and parent both send it) does not. */
const impatientMs = 1000

const controller = new AbortController()
let askedAt: number | null = null

function askToStop(): void {
  if (askedAt !== null && performance.now() - askedAt > impatientMs) process.exit(130)
  askedAt ??= performance.now()
  controller.abort()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, askToStop)

// A reader that has seen enough (`| head`) closes the pipe: what is left unsaid is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

process.on('uncaughtException', (thrown) => {
  process.stderr.write(`${toErrorReport(thrown).message}\n`)
  process.exit(1)
})

const { stdout, stderr, env } = process
const status = await runCli(process.argv.slice(2), { stdout, stderr, env, signal: controller.signal })
await Promise.all(
  [stdout, stderr].map((stream) => new Promise<void>((flushed) => stream.write('', () => flushed()))),
)
// Drivers keep threads and handles alive; the work is done, so the process ends here.
process.exit(status)
