import { spawn, type ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { connectHost, type HostClient } from '@engine/host/client'
import type { EventMessage, HostChannel, HostParams, HostResult } from '@engine/host/protocol'
import { cancelled, engineProcessCodes, LabError, toErrorReport } from '@shared/errors'
import type { ImportOverrides } from '@shared/dataset'
import type { HostState } from '@shared/ipc'
import { t } from '@shared/locale/translate'

export interface EngineProcessOptions {
  /** The pinned Node. */
  readonly node: string
  readonly script: string
  /** See hostEnvironment; asked for at each start. */
  readonly env: () => NodeJS.ProcessEnv
  /** Folder for results that must outlive a crash of the host. */
  readonly spool: string
  /** Folder for comparisons, which outlive the program; null keeps none. */
  readonly benchmarks: string | null
  /** The first start waits for this: both at once would keep the window from being drawn. Absent: at once. */
  readonly after?: Promise<void>
  onEvent(event: EventMessage): void
  onState(state: HostState): void
}

interface OpenFile {
  readonly path: string
  readonly overrides: ImportOverrides
}

/** A host that dies this often in a row, each time within `quickDeathMs`, is not started again. */
const maxQuickDeaths = 4
const quickDeathMs = 5000

/**
 * The engine host as main sees it: started, watched, started again when it dies, with the files that were
 * open loaded once more under the same ids. Requests wait while it restarts.
 */
export class EngineProcess {
  readonly #options: EngineProcessOptions
  readonly #open = new Map<string, OpenFile>()
  #child: ChildProcess | null = null
  #ready: Promise<HostClient>
  #state: HostState = { state: 'starting' }
  #quickDeaths = 0
  #stopping = false
  /** How often everything was closed: what was being opened then belongs to nobody. */
  #closedAll = 0

  constructor(options: EngineProcessOptions) {
    this.#options = options
    this.#ready = options.after === undefined ? this.#start() : options.after.then(() => this.#start())
    this.#ready.catch(() => undefined)
  }

  get state(): HostState {
    return this.#state
  }

  /** Asks the host; waits for it while it starts. @throws LabError the host's own, or `engine-lost`. */
  async request<K extends HostChannel>(channel: K, params: HostParams<K>): Promise<HostResult<K>> {
    return await (await this.#client()).request(channel, params)
  }

  /** The host of the newest start: one that died while it started has a successor. */
  async #client(): Promise<HostClient> {
    for (;;) {
      const start = this.#ready
      try {
        return await start
      } catch (error) {
        if (start === this.#ready) throw error
      }
    }
  }

  /** Loads a file, under an id it had before if it has one, and remembers it for after a crash. @throws LabError also `cancelled`, when all were closed meanwhile */
  async open(
    path: string,
    overrides: ImportOverrides,
    datasetId: string | null = null,
  ): Promise<HostResult<'dataset.open'>> {
    const closedAll = this.#closedAll
    const known = datasetId === null ? {} : { datasetId }
    const summary = await this.request('dataset.open', { path, overrides, ...known })
    if (closedAll !== this.#closedAll) {
      await this.request('dataset.close', { datasetId: summary.id })
      throw cancelled()
    }
    this.#open.set(summary.id, { path, overrides })
    return summary
  }

  async close(datasetId: string): Promise<null> {
    this.#open.delete(datasetId)
    return await this.request('dataset.close', { datasetId })
  }

  /**
   * Frees every file, those being opened too: whoever had them open is gone. Results stay on the disk.
   * @param spared is asked for again soon
   */
  async closeAll(spared: string | null = null): Promise<void> {
    this.#closedAll++
    const others = [...this.#open.keys()].filter((datasetId) => datasetId !== spared)
    await Promise.all(others.map((datasetId) => this.close(datasetId)))
  }

  /** Starts a host that was given up once more, at a person's request; one that lives or is being started stays. */
  startAgain(): void {
    if (this.#state.state !== 'failed' || this.#stopping) return
    this.#quickDeaths = 0
    this.#report({ state: 'lost', reason: t('desktop.theEngineProcessIsBeingStarted') })
    this.#ready = this.#again()
    this.#ready.catch(() => undefined)
  }

  stop(): void {
    this.#stopping = true
    this.#child?.kill()
  }

  async #start(): Promise<HostClient> {
    // The program ended before its window was drawn.
    if (this.#stopping) throw lost('not started any more')
    const { node, script, env: environment, spool, benchmarks, onEvent } = this.#options
    const began = performance.now()
    const given = environment()
    const env = { ...given, CENTROID_LAB_SWIFTSHADER_DIR: swiftShaderFolder(given) }
    const child = spawn(node, [script, spool, ...(benchmarks === null ? [] : [benchmarks])], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    })
    this.#child = child
    return await new Promise<HostClient>((resolve, reject) => {
      const client = connectHost(
        child.stdio[3] as Duplex,
        ({ pid }) => {
          resolve(client)
          if (this.#state.state === 'starting') this.#report({ state: 'ready', pid })
        },
        onEvent,
      )
      const gone = (error: LabError) => {
        client.fail(error)
        reject(error)
        if (this.#child === child && !this.#stopping) this.#restart(performance.now() - began, error)
      }
      child.stdio[3]?.on('error', () => undefined)
      child.once('error', (error) => gone(noNode(node, error)))
      child.once('exit', (code, signal) => gone(lost(signal ? `signal ${signal}` : `exit status ${code}`)))
    })
  }

  #restart(lived: number, error: LabError): void {
    this.#child = null
    this.#quickDeaths = lived < quickDeathMs ? this.#quickDeaths + 1 : 1
    const hopeless = error.code === missingNode || this.#quickDeaths >= maxQuickDeaths
    if (hopeless) {
      const failure = error.code === missingNode ? error : givenUp(error)
      this.#ready = Promise.reject(failure)
      this.#report({ state: 'failed', error: failure.report() })
    } else {
      this.#report({ state: 'lost', reason: this.#lostReason() })
      this.#ready = this.#again()
    }
    this.#ready.catch(() => undefined)
  }

  /** Says nothing of results where there can be none, and nothing of what comes: that is told when it is there. */
  #lostReason(): string {
    if (this.#open.size === 0) return t('desktop.theEngineProcessEndedUnexpectedlyWait')
    return t('desktop.theEngineProcessEndedUnexpectedlyFinished')
  }

  async #again(): Promise<HostClient> {
    await delay(200 * 2 ** this.#quickDeaths)
    const client = await this.#start()
    const child = this.#child
    const files = this.#open.size
    const note = await this.#loadAgain(client)
    // It died once more while files were loaded: the start after it tells how things stand.
    if (child === null || this.#child !== child) throw lost('ended while files were loaded again')
    this.#report({ state: 'ready', pid: child.pid ?? 0, files, ...(note === null ? {} : { note }) })
    return client
  }

  /** @returns a sentence about the first file that could not be loaded again, or null. */
  async #loadAgain(client: HostClient): Promise<string | null> {
    let note: string | null = null
    for (const [datasetId, { path, overrides }] of this.#open) {
      await client.request('dataset.open', { path, overrides, datasetId }).catch((thrown: unknown) => {
        const report = toErrorReport(thrown)
        note ??= report.message
        // A file that ends the host each time would keep everything else from coming back.
        if (report.kind === 'engine-lost') this.#open.delete(datasetId)
      })
    }
    return note
  }

  #report(state: HostState): void {
    this.#state = state
    this.#options.onState(state)
  }
}

function lost(cause: string): LabError {
  return new LabError('engine-lost', ended, t('desktop.theEngineProcessEndedUnexpectedlyBefore'), cause)
}

const { ended, givenUp: tooManyDeaths, missingNode } = engineProcessCodes

function noNode(node: string, error: Error): LabError {
  return new LabError(
    'engine-lost',
    missingNode,
    t('desktop.theEngineProcessCannotBeStarted', [node]),
    error.message,
  )
}

function givenUp(cause: LabError): LabError {
  return new LabError(
    'engine-lost',
    tooManyDeaths,
    t('desktop.theEngineProcessEndedSeveralTimes'),
    cause.details,
  )
}

/** The software adapter of WebGPU ships beside Electron's executable. */
function swiftShaderFolder(env: NodeJS.ProcessEnv): string {
  return env['CENTROID_LAB_SWIFTSHADER_DIR'] ?? dirname(process.execPath)
}
