import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const program = resolve('out/main/cli.js')
const addon = resolve('.native/centroid_mpi.node')

/** Why runs of several processes cannot be tried here; null where they can. */
export function whyNoMpi(exists: (path: string) => boolean): string | null {
  if (spawnSync('mpirun', ['--version']).status !== 0) return 'mpirun is not installed (openmpi-bin)'
  if (!exists(addon)) return 'the addon for MPI was not built (libopenmpi-dev, npm run setup)'
  return exists(program) ? null : 'the application is not built (npm run build)'
}

export interface Ended {
  /** Null where a signal ended it. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The program as several processes, or, as 0 of them, without mpirun. */
export class MpiRun {
  readonly ended: Promise<Ended>
  readonly #tag = `centroid-lab-test-${process.pid}-${Math.random().toString(36).slice(2)}`
  readonly #pid: number
  /** The launcher did not end with its processes, and was ended here. */
  launcherHung = false

  constructor(processes: number, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const own = [program, ...args]
    // More processes than processors; the root user is asked twice by Open MPI.
    const mpi = ['-q', '--oversubscribe', '-n', String(processes), process.execPath, ...own]
    const [command, given] = processes === 0 ? [process.execPath, own] : ['mpirun', mpi]
    const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' }
    const child = spawn(command, given, {
      env: { ...process.env, ...asRoot, ...env, CENTROID_LAB_TEST_TAG: this.#tag },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#pid = child.pid ?? 0
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()))
    child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()))
    this.ended = new Promise((done) => {
      child.on('close', (status) => done({ status, stdout, stderr }))
    })
  }

  /**
   * Open MPI's own launcher (4.1) can wait for good where a process dies while the two still make each other known: no
   * process of ours is left then, and it is ended here.
   */
  async endedWithLauncher(patienceMs = 10_000): Promise<Ended> {
    const hung = new AbortController()
    const watching = (async () => {
      let since = performance.now()
      while (!hung.signal.aborted) {
        if (this.ranks().size > 0) since = performance.now()
        if (performance.now() - since > patienceMs) {
          this.launcherHung = true
          process.kill(this.#pid, 'SIGKILL')
          return
        }
        await new Promise((later) => setTimeout(later, 100))
      }
    })()
    const ended = await this.ended
    hung.abort()
    await watching
    return ended
  }

  /** Processes of the program that live, by rank. */
  ranks(): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const environment = environmentOf(Number(pid))
      if (!environment.includes(`CENTROID_LAB_TEST_TAG=${this.#tag}`) || Number(pid) === this.#pid) continue
      const rank = environment.find((entry) => entry.startsWith('OMPI_COMM_WORLD_RANK='))
      if (rank !== undefined) found.set(Number(rank.split('=')[1]), Number(pid))
    }
    return found
  }
}

/** Empty for what has ended, also while its parent has not asked for it. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** @throws Error with what the program said */
export async function runAmong(
  processes: number,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { status, stdout, stderr } = await new MpiRun(processes, args, env).ended
  if (status !== 0) throw new Error(`${processes} processes, status ${status}: ${stderr}`)
  return stdout
}
