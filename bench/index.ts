/** `npm run bench:kernels`: every variant on every engine and device of this machine, in one run. See options.ts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { machineFacts } from '@engine/machine'
import { invalidArgument, toErrorReport } from '@shared/errors'
import { findContenders } from '@tests/parity/contenders'
import { chosenContenders, runConfiguration } from './bench'
import { commit } from './commit'
import { floorsOf } from './devices'
import type { Report } from './entry'
import { readOptions, usage, type BenchOptions } from './options'
import { machineName, markdown, plainTable } from './report'

process.exitCode = await main().catch((error: unknown) => {
  console.error(toErrorReport(error).message)
  return 1
})
// A driver may keep threads alive.
process.exit()

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options.help) {
    console.log(usage)
    return 0
  }
  const { found, missing } = await findContenders()
  for (const { id, reason } of missing) console.error(`${id} is not here: ${reason}`)
  const contenders = chosenContenders(found, options)
  if (contenders.length === 0)
    throw invalidArgument('an engine and a variant of this machine', '--engine, --variant', null)
  const floors = await floorsOf(contenders)
  let report: Report = { ...(await head(options)), floors: Object.fromEntries(floors), entries: [] }
  const devices = contenders.map(({ device }) => device.id)
  const file = outputFile(options, report, devices)
  for (const configuration of options.configurations) {
    const say = (line: string) => console.error(line)
    const entries = await runConfiguration(configuration, contenders, floors, options, say)
    report = { ...report, entries: [...report.entries, ...entries] }
    // After each of them: what was measured is kept when the rest is stopped.
    save(file, report)
  }
  console.log(options.markdown ? markdown(report) : plainTable(report))
  console.error(`Written to ${file}`)
  return report.entries.some(({ outcome }) => outcome === 'wrong' || outcome === 'failed') ? 1 : 0
}

async function head(options: BenchOptions): Promise<Omit<Report, 'floors' | 'entries'>> {
  return {
    date: new Date().toISOString(),
    commit: commit(),
    machine: await machineFacts('auto'),
    secondsPerEntry: options.seconds,
    scale: options.scale,
  }
}

function outputFile({ output }: BenchOptions, { date, machine }: Report, devices: readonly string[]): string {
  if (output !== null) return resolve(output)
  const folder = process.env['CENTROID_LAB_RESULTS'] ?? '.'
  return resolve(folder, `${date.slice(0, 10)}-${machineName(machine, devices)}.json`)
}

function save(file: string, report: Report): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(file.replace(/\.json$/, '') + '.md', markdown(report))
}
