import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { importOverrides } from '@engine/csv/import-overrides-schema'
import type { KeptRuns } from '@engine/host/spool'
import { fileEntries, sessionState } from '@engine/session/session-schema'
import { LabError } from '@shared/errors'
import type { SavedDataset, SessionFile, SessionState } from '@shared/session'
import type { StateFile, StateFiles } from './state-files'
import { t } from '@shared/locale/translate'

/** A data file of a session, and under which id its results are made. */
export type KeptFile = SessionFile & { readonly id: string }

/** A session as it is kept beside its .clab, until it is saved or discarded. */
export interface KeptSession {
  readonly id: string
  /** Path of its .clab; null for one that was never saved. */
  readonly file: string | null
  /** It has runs, or words about them, that no .clab has. */
  readonly unsaved: boolean
  /** Those opened last first. */
  readonly datasets: readonly KeptFile[]
  /** As the window told it last; null where it told nothing. */
  readonly state: SessionState | null
}

interface Entry extends KeptSession {
  /** ISO 8601; null where an older version did not note it. */
  readonly lastUsed: string | null
  /** Starts since that opened it by themselves and did not get so far. */
  readonly attempts: number
}

/** What can be resumed. */
export interface OfferedSession extends KeptSession, KeptRuns {
  readonly lastUsed: string | null
}

/** The results on disk, by the id of their dataset. */
export interface KeptResults {
  keptRuns(): Promise<ReadonlyMap<string, KeptRuns>>
  discard(datasetId: string): Promise<void>
}

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const attempts = v.pipe(v.number(), v.integer(), v.minValue(0))
const entry = v.object({
  ...{ id, attempts, lastUsed: v.nullable(v.string()), unsaved: v.boolean() },
  file: v.nullable(v.pipe(v.string(), v.minLength(1))),
  datasets: v.array(v.object({ id, ...fileEntries })),
  state: v.nullable(sessionState),
})
const sessions = v.object({ onScreen: v.nullable(id), sessions: v.array(entry) })

/** Before there were sessions of several files. */
const earlierFile = { path: v.pipe(v.string(), v.minLength(1)), overrides: importOverrides, datasetId: id }
const asSession = (file: { path: string; overrides: KeptFile['overrides']; datasetId: string }) => ({
  ...{ id: file.datasetId, file: null, unsaved: true, state: null },
  datasets: [{ ...{ id: file.datasetId, path: file.path, overrides: file.overrides }, ...unknownContents }],
})
const unknownContents = { bytes: 0, sha256: null, modifiedMs: 0 }
const several = v.pipe(
  v.object({
    onScreen: v.nullable(id),
    files: v.array(v.object({ ...earlierFile, lastUsed: v.nullable(v.string()), attempts })),
  }),
  v.transform(({ onScreen, files }) => ({
    onScreen,
    sessions: files.map(({ lastUsed, attempts: made, ...file }) => ({
      ...asSession(file),
      lastUsed,
      attempts: made,
    })),
  })),
)
/** Version 0.1.0: the file on screen alone, and only after an end by force. */
const single = v.pipe(
  v.object({ file: v.object(earlierFile), attempts }),
  v.transform(({ file, attempts: made }) => ({
    onScreen: file.datasetId as string | null,
    sessions: [{ ...asSession(file), lastUsed: null as string | null, attempts: made }],
  })),
)

const sessionFile = {
  name: 'session.json',
  schema: v.union([sessions, several, single]) as v.GenericSchema<
    unknown,
    { onScreen: string | null; sessions: Entry[] }
  >,
  maxBytes: 2 ** 26,
  lost: {
    get subject() {
      return t('desktop.theListOfKeptSessions')
    },
    get instead() {
      return t('desktop.beginsAnew')
    },
  },
} satisfies StateFile<unknown>

/** A file that ends the program each time it is opened must not keep it from starting. */
const maxAttempts = 2
/** What the window tells many times a second reaches the disk so often. */
const writeMs = 250

/**
 * Sessions with their results, kept over every end of the program, however it came, until they are saved or the person discards
 * them. The one on screen is noted at every moment, beside its .clab and never over it: found at a start, it says that the program
 * was ended by force, and is opened again by itself; the others are offered.
 */
export class KeptSessions {
  readonly #state: StateFiles
  readonly #results: KeptResults
  /** The last used first; not the one on screen while it is empty. */
  #entries: readonly Entry[] = []
  #current: Entry = fresh()
  #isOnScreen = false
  #waiting: KeptSession | null = null
  #writing: ReturnType<typeof setTimeout> | null = null

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
    const { onScreen, sessions: found } = stored
    const left = found.find((each) => each.id === onScreen)
    // What a .clab has need not be kept twice.
    const over = found.filter((each) => each !== left && isSaved(each))
    this.#entries = found.filter((each) => !over.includes(each))
    for (const each of over) await this.#discardRuns(each)
    if (left !== undefined && !named && left.attempts < maxAttempts) this.#tryAgain(left)
    else if (onScreen !== null || over.length > 0) this.#write()
  }

  #tryAgain(left: Entry): void {
    this.#waiting = left
    this.#isOnScreen = true
    this.#current = { ...left, attempts: left.attempts + 1 }
    this.#write()
  }

  /** What a new page is to open again by itself, told once; it shows nothing else. */
  take(): KeptSession | null {
    const session = this.#waiting
    if (session === null) this.ended()
    this.#waiting = null
    return session
  }

  /** The page went away by itself: what it showed is to be opened again. */
  interrupted(): void {
    this.#waiting = this.#isOnScreen ? this.#current : null
  }

  /** The session on screen. */
  get current(): KeptSession {
    return this.#current
  }

  /** There is something to ask about before it goes. */
  get hasUnsavedRuns(): boolean {
    const { unsaved, state } = this.#current
    return unsaved && (state?.datasets.some(({ runs }) => runs.length > 0) ?? false)
  }

  /** A dataset of the session on screen. @throws LabError `session.no-dataset` */
  dataset(datasetId: string): KeptFile {
    const found = this.#current.datasets.find((each) => each.id === datasetId)
    if (found !== undefined) return found
    const message = t('desktop.thisDatasetNoLongerBelongsTo')
    throw new LabError('input', 'session.no-dataset', message)
  }

  /** The session as it is saved: what the window told, with the files. @throws LabError `session.no-dataset` */
  content(state: SessionState): { shown: string | null; datasets: readonly SavedDataset[] } {
    const known = new Set(this.#current.datasets.map((each) => each.id))
    // Of one that is unknown nothing can be lost but its runs.
    const named = state.datasets.filter((each) => known.has(each.id) || each.runs.length > 0)
    const datasets = named.map((each) => ({ ...each, ...this.dataset(each.id) }))
    return { shown: state.shown, datasets }
  }

  /** A file belongs to the session on screen from now on, or lies elsewhere now. */
  opened(file: KeptFile): void {
    this.#isOnScreen = true
    const others = this.#current.datasets.filter((each) => each.id !== file.id)
    this.#change({ datasets: [file, ...others], lastUsed: new Date().toISOString(), attempts: 0 })
    this.#write()
  }

  /** A file that was opened is hashed. */
  hashed(datasetId: string, sha256: string): void {
    const datasets = this.#current.datasets.map((each) =>
      each.id === datasetId ? { ...each, sha256 } : each,
    )
    this.#change({ datasets })
    this.#write()
  }

  /**
   * What the window tells while a person works. A dataset that it named before, and names no more, was closed. What it tells of
   * another session, which this one has just taken the place of, is no news of this one.
   */
  report(state: SessionState, unsaved: boolean): void {
    const named = new Set(state.datasets.map((each) => each.id))
    const own = this.#current.datasets
    if (own.length > 0 && named.size > 0 && !own.some((each) => named.has(each.id))) return
    const before = new Set(this.#current.state?.datasets.map((each) => each.id))
    const datasets = this.#current.datasets.filter((each) => named.has(each.id) || !before.has(each.id))
    this.#change({ state, unsaved, datasets })
    this.#writing ??= setTimeout(() => this.#write(), writeMs)
  }

  /** It is in a .clab from now on. */
  saved(file: string, state: SessionState): void {
    this.#change({ file, unsaved: false, state })
    this.#write()
  }

  /** Another session takes its place: a new one, or one that was opened. What was not saved is kept, and offered later. */
  begin(next: Partial<KeptSession> = {}): void {
    const left = this.#current
    const isKept = this.#isOnScreen && !isSaved(left) && left.datasets.length > 0
    this.#entries = isKept ? [left, ...this.#others(left.id)] : this.#others(left.id)
    if (isSaved(left)) void this.#discardRuns(left)
    this.#current = { ...fresh(), ...next }
    this.#entries = this.#others(this.#current.id)
    this.#isOnScreen = this.#current.datasets.length > 0
    this.#write()
  }

  async #discardRuns({ datasets }: KeptSession): Promise<void> {
    for (const dataset of datasets) await this.#results.discard(dataset.id).catch(() => undefined)
  }

  /** @throws LabError `session.unknown` */
  offeredOne(sessionId: string): KeptSession {
    const found = this.#entries.find((each) => each.id === sessionId)
    if (found === undefined) throw unknownSession()
    return found
  }

  /** The person goes on with one that was offered. @throws LabError `session.unknown` */
  continueWith(sessionId: string): KeptSession {
    const found = this.offeredOne(sessionId)
    this.begin(found)
    return found
  }

  /** Ended on purpose, or by the end of the desktop's session: the next start offers what was not saved. */
  ended(): void {
    this.#waiting = null
    if (!this.#isOnScreen) return
    const left = this.#current
    this.#entries = [left, ...this.#others(left.id)]
    this.#isOnScreen = false
    this.#current = fresh()
    this.#write()
  }

  /** What can be resumed, the last used first; not what is on screen or comes back by itself. */
  async offered(): Promise<readonly OfferedSession[]> {
    const kept = await this.#results.keptRuns()
    const others = this.#others(this.#current.id).filter((each) => !isSaved(each))
    this.#forgetEmpty(others, kept)
    return others.flatMap(({ attempts: _made, ...each }) => {
      const found = each.datasets.flatMap((dataset) => kept.get(dataset.id) ?? [])
      const runs = found.reduce((sum, one) => sum + one.runs, 0)
      const isCutOff = found.some((one) => one.isCutOff)
      return runs === 0 && !isCutOff ? [] : [{ ...each, runs, isCutOff }]
    })
  }

  /** Files without a run are never offered: nothing of them is kept. */
  #forgetEmpty(others: readonly Entry[], kept: ReadonlyMap<string, KeptRuns>): void {
    const empty = others.filter(({ datasets }) => datasets.every((dataset) => !kept.has(dataset.id)))
    if (empty.length === 0) return
    this.#entries = this.#entries.filter((each) => !empty.includes(each))
    this.#write()
  }

  /** The person wants it no more. @throws LabError `session.open` for the one on screen */
  async discard(sessionId: string): Promise<void> {
    if (sessionId === this.#current.id) throw openSession()
    const found = this.#entries.find((each) => each.id === sessionId)
    for (const dataset of found?.datasets ?? []) await this.#results.discard(dataset.id)
    this.#entries = this.#others(sessionId)
    this.#write()
  }

  #change(changed: Partial<Entry>): void {
    this.#current = { ...this.#current, ...changed }
  }

  #others(sessionId: string): readonly Entry[] {
    return this.#entries.filter((each) => each.id !== sessionId)
  }

  #write(): void {
    if (this.#writing !== null) clearTimeout(this.#writing)
    this.#writing = null
    const onScreen = this.#isOnScreen ? this.#current : null
    const others = this.#others(this.#current.id)
    this.#state.write(sessionFile, {
      onScreen: onScreen?.id ?? null,
      sessions: onScreen === null ? others : [onScreen, ...others],
    })
  }
}

/** Its .clab has everything. */
function isSaved({ file, unsaved }: KeptSession): boolean {
  return file !== null && !unsaved
}

function fresh(): Entry {
  return {
    ...{ id: randomUUID(), file: null, unsaved: false, datasets: [], state: null },
    ...{ lastUsed: null, attempts: 0 },
  }
}

function unknownSession(): LabError {
  const message = t('desktop.thisSessionIsNoLongerKept')
  return new LabError('input', 'session.unknown', message)
}

function openSession(): LabError {
  const message = t('desktop.thisSessionIsOnScreenBegin')
  return new LabError('input', 'session.open', message)
}
