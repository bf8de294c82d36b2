import * as v from 'valibot'
import { importOverrides } from '@engine/csv/import-overrides-schema'
import type { KeptRuns } from '@engine/host/spool'
import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import type { StateFile, StateFiles } from './state-files'

/** A data file, and under which id its results were made. */
export interface KeptFile {
  readonly path: string
  readonly overrides: ImportOverrides
  readonly datasetId: string
}

interface Entry extends KeptFile {
  /** ISO 8601; null where an older version did not note it. */
  readonly lastUsed: string | null
  /** Starts since that opened it by themselves and did not get so far. */
  readonly attempts: number
}

/** What can be resumed. */
export interface OfferedSession extends KeptFile, KeptRuns {
  readonly lastUsed: string | null
}

/** The results on disk, by the id of their dataset. */
export interface KeptResults {
  keptRuns(): Promise<ReadonlyMap<string, KeptRuns>>
  discard(datasetId: string): Promise<void>
}

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const attempts = v.pipe(v.number(), v.integer(), v.minValue(0))
const fileEntries = { path: v.pipe(v.string(), v.minLength(1)), overrides: importOverrides, datasetId: id }
const entry = v.object({ ...fileEntries, lastUsed: v.nullable(v.string()), attempts })
const several = v.object({ onScreen: v.nullable(id), files: v.array(entry) })
/** Version 0.1.0: the file on screen alone, and only after an end by force. */
const single = v.pipe(
  v.object({ file: v.object(fileEntries), attempts }),
  v.transform(({ file, attempts: made }) => ({
    onScreen: file.datasetId as string | null,
    files: [{ ...file, lastUsed: null as string | null, attempts: made }],
  })),
)

const sessionFile = {
  name: 'session.json',
  schema: v.union([several, single]),
  maxBytes: 2 ** 24,
  lost: { subject: 'The list of kept sessions', instead: 'begins anew' },
} satisfies StateFile<unknown>

/** A file that ends the program each time it is opened must not keep it from starting. */
const maxAttempts = 2

/**
 * Files with the results that were made on them: kept over every end of the program, however it came, until the
 * person discards them. The one on screen is noted at every moment: found at a start, it says that the program was
 * ended by force, and is opened again by itself; the others are offered.
 */
export class KeptSessions {
  readonly #state: StateFiles
  readonly #results: KeptResults
  /** The last used first. */
  #entries: readonly Entry[] = []
  #onScreen: string | null = null
  #waiting: KeptFile | null = null
  /** Is being opened again: its results are its own. */
  #resumed: KeptFile | null = null

  constructor(state: StateFiles, results: KeptResults) {
    this.#state = state
    this.#results = results
  }

  /**
   * Looks for what earlier starts left.
   * @param named whoever names a file wants that one: nothing is opened by itself
   */
  async load(named: boolean): Promise<void> {
    const stored = await this.#state.read(sessionFile)
    if (stored === null) return
    const { onScreen, files } = stored
    this.#entries = files
    const left = files.find(({ datasetId }) => datasetId === onScreen)
    if (left !== undefined && !named && left.attempts < maxAttempts) this.#tryAgain(left)
    else if (onScreen !== null) this.#write()
  }

  #tryAgain(left: Entry): void {
    this.#waiting = left
    this.#onScreen = left.datasetId
    this.#replace({ ...left, attempts: left.attempts + 1 })
  }

  /** What a new page is to open again by itself, told once; it shows nothing else. */
  take(): KeptFile | null {
    const file = this.#waiting
    if (file === null) this.ended()
    else this.#resumed = file
    this.#waiting = null
    return file
  }

  /** The page went away by itself: what it showed is to be opened again. */
  interrupted(): void {
    this.#waiting = this.#entries.find(({ datasetId }) => datasetId === this.#onScreen) ?? null
  }

  /** The person goes on with one that was offered. @throws LabError `session.unknown` */
  continueWith(datasetId: string): KeptFile {
    const found = this.#entries.find((each) => each.datasetId === datasetId)
    if (found === undefined) throw unknownSession()
    this.#resumed = found
    return found
  }

  /** The id under which a file that is opened again was open before, told once; null for any other file. */
  resume(path: string): string | null {
    const file = this.#resumed
    this.#resumed = null
    return file?.path === path ? file.datasetId : null
  }

  /** Is on screen from now on. */
  opened(file: KeptFile): void {
    this.#onScreen = file.datasetId
    this.#replace({ ...file, lastUsed: new Date().toISOString(), attempts: 0 })
  }

  /** Another file took its place: without results there is nothing to keep. */
  async closed(datasetId: string): Promise<void> {
    const kept = await this.#results.keptRuns()
    if (this.#onScreen === datasetId) this.#onScreen = null
    if (!kept.has(datasetId)) this.#entries = this.#without(datasetId)
    this.#write()
  }

  /** Ended on purpose, or by the end of the desktop's session: the next start offers it. */
  ended(): void {
    this.#waiting = null
    if (this.#onScreen === null) return
    this.#onScreen = null
    this.#write()
  }

  /** What can be resumed, the last used first; not what is on screen or comes back by itself. */
  async offered(): Promise<readonly OfferedSession[]> {
    const kept = await this.#results.keptRuns()
    return this.#entries.flatMap(({ attempts: _made, ...each }) => {
      const runs = kept.get(each.datasetId)
      return runs === undefined || each.datasetId === this.#onScreen ? [] : [{ ...each, ...runs }]
    })
  }

  /** The person wants it no more. @throws LabError `session.open` for the one on screen */
  async discard(datasetId: string): Promise<void> {
    if (datasetId === this.#onScreen) throw openSession()
    await this.#results.discard(datasetId)
    this.#entries = this.#without(datasetId)
    this.#write()
  }

  get onScreen(): string | null {
    return this.#onScreen
  }

  #replace(changed: Entry): void {
    this.#entries = [changed, ...this.#without(changed.datasetId)]
    this.#write()
  }

  #without(datasetId: string): readonly Entry[] {
    return this.#entries.filter((each) => each.datasetId !== datasetId)
  }

  #write(): void {
    this.#state.write(sessionFile, { onScreen: this.#onScreen, files: this.#entries })
  }
}

function unknownSession(): LabError {
  const message = 'This session is no longer kept: open its file again.'
  return new LabError('input', 'session.unknown', message)
}

function openSession(): LabError {
  const message = 'This session is on screen: open another file before it is discarded.'
  return new LabError('input', 'session.open', message)
}
