import { availableParallelism, cpus } from 'node:os'
import { LabError } from '@shared/errors'
import type { ProcessGroupHandle } from '../engines/engine'
import { loadMpiAddon } from '../engines/native'

/** The processes that mpirun started for one run, of which this is one. */
export interface RunProcesses {
  /** From 0. */
  readonly rank: number
  readonly size: number
  /** For the engines' addons. */
  readonly group: ProcessGroupHandle
  /** Bytes for each process, by rank; answers those that each has for this one. Every process must call it. */
  exchange(parts: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  /** What this process sent so far. */
  traffic(): ProcessTraffic
  /** This process is being ended: it has nothing to say any more. */
  hush(): void
  /** Waits until every process has come here; MPI is of no use afterwards. */
  end(): void
  /** Ends every process of the run. */
  abort(status: number): void
}

/** Payloads, whatever MPI makes of them. */
export interface ProcessTraffic {
  /** Sums of whole numbers over all processes, of which a pass is one. */
  readonly sums: number
  readonly sumBytes: number
  /** Milliseconds in them: until the last process came, and the sum was there. */
  readonly sumMs: number
  /** All else. */
  readonly messages: number
  readonly messageBytes: number
}

/** Seconds after which a process that gives no sign is taken for lost. */
const defaultDeadline = 60

/** By what the launchers of the usual MPIs tell a program. */
const sizeVariables = ['OMPI_COMM_WORLD_SIZE', 'PMI_SIZE', 'MPI_LOCALNRANKS'] as const

let joined: RunProcesses | null = null

/** Null where this process works alone. */
export function runProcesses(): RunProcesses | null {
  return joined
}

/** How many processes a launcher started, as it says; 1 where there is none. */
function launchedProcesses(env: NodeJS.ProcessEnv): number {
  const sizes = sizeVariables.map((name) => Number(env[name] ?? 1))
  return Math.max(...sizes.filter(Number.isInteger), 1)
}

/**
 * Joins the other processes where mpirun started several; every one of them must call it, once. Nothing of MPI is loaded
 * elsewhere.
 * @throws LabError `engine-missing` where the addon is not there; `input` for a deadline that is none
 */
export function joinProcesses(env: NodeJS.ProcessEnv): RunProcesses | null {
  const launched = launchedProcesses(env)
  if (launched === 1) return null
  const deadline = deadlineOf(env)
  const { addon, reason } = loadMpiAddon()
  if (addon === null) throw new LabError('engine-missing', 'processes.addon', reason)
  shareProcessors(env)
  const lost = `One of the ${launched} processes of this run gave no sign for ${deadline} s (it was stopped, or its machine is gone): the run was ended, and no file of it was left half-written; start it again.`
  const { rank, size, group } = addon.begin(deadline, lost)
  joined = {
    ...{ rank, size, group },
    exchange: (parts) => addon.exchange(parts),
    traffic: () => addon.traffic(),
    hush: () => addon.hush(),
    end: () => addon.end(),
    abort: (status) => addon.abort(status),
  }
  return joined
}

function deadlineOf({ CENTROID_LAB_PROCESS_DEADLINE: asked }: NodeJS.ProcessEnv): number {
  if (asked === undefined || asked === '') return defaultDeadline
  const seconds = Number(asked)
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new LabError(
    'input',
    'processes.deadline',
    `Expected seconds from 1 to 86400 for CENTROID_LAB_PROCESS_DEADLINE but received '${asked}'.`,
  )
}

/** Where processes of one machine were bound to no processors of their own, each takes its share of them. */
function shareProcessors(env: NodeJS.ProcessEnv): void {
  const here = Number(env['OMPI_COMM_WORLD_LOCAL_SIZE'] ?? env['MPI_LOCALNRANKS'] ?? 1)
  const all = cpus().length
  if (env['CENTROID_LAB_THREADS'] || here <= 1 || availableParallelism() < all) return
  process.env['CENTROID_LAB_THREADS'] = String(Math.max(1, Math.floor(all / here)))
}
