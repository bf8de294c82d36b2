import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { joinProcesses, type ProcessTraffic, type RunProcesses } from '@engine/processes/run-processes'
import { LabError } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import type { Command } from './arguments'
import type { ClusterOptions } from './cluster-arguments'
import type { CliIo, TextOut } from './io'

/** What another process than the first says waits so long: the first mostly says the same, and ends all. */
const politeMs = 500

/** A command of which every process of mpirun carries out its part; the first one reads, writes and speaks for all. */
export class UnderMpi {
  readonly #processes: RunProcesses
  readonly #io: CliIo
  #unsaid = ''

  private constructor(processes: RunProcesses, io: CliIo) {
    this.#processes = processes
    this.#io = io
  }

  /** Null where mpirun did not start this, or started nothing else. @throws LabError see joinProcesses */
  static join(env: NodeJS.ProcessEnv, io: CliIo): UnderMpi | null {
    const processes = joinProcesses(env)
    if (processes === null) return null
    io.signal.addEventListener('abort', () => processes.hush(), { once: true })
    return new UnderMpi(processes, io)
  }

  /** Where this process writes: the others have nothing to say until something fails. Nobody can be asked. */
  get io(): CliIo {
    const { ask: _, ...io } = this.#io
    if (this.#processes.rank === 0) return io
    const silent: TextOut = { write: () => true }
    return { ...io, stdout: silent, stderr: { write: (text) => (this.#unsaid = text) } }
  }

  /** Ends the run of all: with status 0 when all are done, else at once. */
  async end(status: number): Promise<void> {
    const { rank, size } = this.#processes
    if (status === 0) {
      await writeProcessFacts(rank, this.#processes.traffic())
      this.#processes.end()
      return
    }
    if (rank > 0) {
      await new Promise((later) => setTimeout(later, politeMs))
      if (this.#io.signal.aborted) return
      this.#io.stderr.write(`Process ${rank + 1} of ${size}: ${this.#unsaid}`)
    }
    this.#processes.abort(status)
  }
}

/** Kibibytes, as `resourceUsage` has them. */
const bytesOfUsage = 1024

/** For `test:processes --scaling`: what a process held at most, and sent. @param traffic null where it works alone */
export async function writeProcessFacts(rank: number, traffic: ProcessTraffic | null): Promise<void> {
  const folder = process.env['CENTROID_LAB_PROCESS_FACTS']
  if (folder === undefined || folder === '') return
  const peakBytes = process.resourceUsage().maxRSS * bytesOfUsage
  await writeFile(join(folder, `${rank}.json`), JSON.stringify({ rank, peakBytes, traffic }))
}

/** What several processes cannot do together is refused; what was left to us is chosen here, alike in all of them. */
export function sharedAmong(processes: RunProcesses, options: ClusterOptions): ClusterOptions {
  const { config, checkpoint } = options
  if (checkpoint !== null) {
    throw refused(
      '--checkpoint',
      'a run of several processes keeps no checkpoint',
      'leave it out, or start without mpirun',
    )
  }
  const shared = { ...options, config: sharedConfig(config), onLoss: 'stop' as const }
  if (processes.rank === 0) return shared
  return { ...shared, output: null, steps: 0, models: [], report: null, profile: false }
}

function sharedConfig(config: RunConfig): RunConfig {
  const { engine, variant, precision } = config
  if (engine !== 'auto' && engine !== 'cpu') {
    throw refused('--engine', `the engine ${engine} does not share rows among processes`, 'choose cpu')
  }
  if (variant !== 'auto' && variant !== 'fused') {
    throw refused(
      '--variant',
      `the variant ${variant} has its own sums, which depend on how the rows are cut`,
      'choose fused',
    )
  }
  if (precision === 'float64') {
    throw refused('--precision', 'float64 has no whole numbers to add up', 'leave it out')
  }
  return { ...config, engine: 'cpu', variant: 'fused' }
}

function refused(option: string, why: string, remedy: string): LabError {
  return new LabError('input', 'processes.option', `${option} under mpirun: ${why}; ${remedy}.`)
}

/** @throws LabError for a command that several processes would only carry out several times */
export function refuseUnshared(kind: Command['kind']): void {
  if (kind === 'cluster' || kind === 'help' || kind === 'version') return
  throw new LabError(
    'input',
    'processes.command',
    `Only 'cluster' shares its rows among processes: start '${kind}' without mpirun.`,
  )
}
