import '@engine/young-objects'
import { writeSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { requireAddresses } from '@engine/memory'
import { toErrorReport } from '@shared/errors'
import { printable } from '@shared/printable'
import { askLine } from './ask-line'

/** A second Ctrl-C means "now"; one that comes with the first (terminal and parent both send it) does not. */
const impatientMs = 1000
/** What an engine may need to end its last call after a cancel. */
const closingMs = 1500

// Advice of Node to those who write programs (a library of ours still calls Buffer()) is none to those who use one.
process.noDeprecation = true

const controller = new AbortController()
let askedAt: number | null = null

function askToStop(): void {
  if (askedAt !== null && performance.now() - askedAt > impatientMs) process.exit(130)
  askedAt ??= performance.now()
  controller.abort()
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, askToStop)

// A reader that has seen enough (`| head`) closes the pipe: what is left unsaid is not an error. Anything else is.
let unsaid: Error | null = null
process.stderr.on('error', () => undefined)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unsaid = error
})

process.on('uncaughtException', (thrown) => {
  process.stderr.write(`${printable(toErrorReport(thrown).message)}\n`)
  process.exit(1)
})

requireAddresses()
// Only now: where files cannot be opened any more, this says so.
const { keepCompiledCode } = await import('@engine/cache-folder')
keepCompiledCode()
const [{ runCli }, { UnderMpi, writeProcessFacts }, { sessionsClosed }, { anotherProcess }] =
  await Promise.all([
    import('./run-cli'),
    import('./under-mpi'),
    import('@engine/run/guarded-session'),
    import('./another-process'),
  ])
const { stdin, stdout, stderr, env } = process
const { signal } = controller
const asking = stdin.isTTY && stderr.isTTY ? { ask: (question: string) => askLine(question, signal) } : {}
const outside = { stdout, stderr, env, signal, another: anotherProcess, ...asking }
const shared = underMpi()
const status = await runCli(process.argv.slice(2), shared?.io ?? outside)
await Promise.all(
  [stdout, stderr].map((stream) => new Promise<void>((flushed) => stream.write('', () => flushed()))),
)
if (unsaid !== null)
  writeSync(2, 'The result could not be written to standard output: check the disk it goes to.\n')
await Promise.race([sessionsClosed(), after(closingMs)])
await shared?.end(status)
if (shared === null) await writeProcessFacts(0, null)
// Drivers keep threads and handles alive; the work is done, so the process ends here.
process.exit(status === 0 && unsaid !== null ? 1 : status)

/** Where mpirun started this; what hinders it is said like any other failure. */
function underMpi() {
  try {
    return UnderMpi.join(env, outside)
  } catch (thrown) {
    const report = toErrorReport(thrown)
    stderr.write(`${printable(report.message)}\n`)
    process.exit(report.kind === 'input' ? 2 : 1)
  }
}
