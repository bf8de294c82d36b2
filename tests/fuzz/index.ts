/**
 * npm run fuzz -- [--target csv|ipc] [--seconds N] [--seed N]
 * Throws spoiled tables at the reader and spoiled messages at every handler. A fault is told with its seed, and
 * `--seed` begins with that case.
 */
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { csvTarget } from './csv'
import { ipcTarget } from './ipc'
import { fuzz, type FuzzReport, type Target } from './target'

const targets: Readonly<Record<string, (examples: string) => Promise<Target>>> = {
  csv: csvTarget,
  ipc: ipcTarget,
}

/** A case that takes longer than this hangs. */
const patienceMs = 20_000

/** Ends the process when a case hangs the thread. */
const watchdog = `
const { workerData } = require('node:worker_threads')
const progress = new Int32Array(workerData.shared)
let last = -1
setInterval(() => {
  if (progress[0] === last) {
    require('node:fs').writeSync(2, 'seed ' + last + ' hangs\\n')
    process.kill(process.pid, 'SIGKILL')
  }
  last = progress[0]
}, workerData.patienceMs)
`

const { values } = parseArgs({
  options: { target: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
})
const seconds = Number(values.seconds ?? 60)
const firstSeed = Number(values.seed ?? 1)
const chosen = Object.entries(targets).filter(
  ([name]) => values.target === undefined || name === values.target,
)
if (chosen.length === 0 || !(seconds > 0) || !Number.isSafeInteger(firstSeed)) {
  console.error(
    'Expected --target csv or ipc, --seconds above 0 and --seed a whole number: correct the options.',
  )
  process.exit(2)
}

const shared = new SharedArrayBuffer(4)
const progress = new Int32Array(shared)
new Worker(watchdog, { eval: true, workerData: { shared, patienceMs } }).unref()
const unexpected: string[] = []
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => unexpected.push(`seed ${progress[0]}: ${String(error)}`))
}
for (const [name, make] of chosen) {
  const target = await make(process.env['CENTROID_LAB_EXAMPLES'] ?? 'examples')
  const began = (seed: number) => Atomics.store(progress, 0, seed)
  report(name, await fuzz(target, { firstSeed, seconds: seconds / chosen.length, began }))
  await target.close()
}
for (const fault of unexpected) console.error(`outside of any case, ${fault}`)
process.exit(process.exitCode ?? (unexpected.length > 0 ? 1 : 0))

function report(name: string, { cases, bytes, outcomes, faults }: FuzzReport): void {
  const counts = Object.entries(outcomes).sort(([, a], [, b]) => b - a)
  const size = bytes > 0 ? ` of ${(bytes / 1e6).toFixed(1)} MB` : ''
  console.log(`${name}: ${cases} cases${size}, ${faults.length} faults`)
  for (const [outcome, count] of counts) console.log(`  ${String(count).padStart(8)}  ${outcome}`)
  for (const { seed, message } of faults) console.error(`  seed ${seed}: ${message}`)
  if (faults.length > 0) process.exitCode = 1
}
