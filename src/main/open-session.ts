/** From a session that is kept, or a .clab, to what the window shows; and back into a .clab. */
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { BrowserWindow } from 'electron'
import { throwIfAborted } from '@engine/slices'
import { LabError, toErrorReport } from '@shared/errors'
import { t } from '@shared/locale/translate'
import {
  sessionEnding,
  type FileState,
  type OpenedDataset,
  type OpenedSession,
  type SessionFacts,
  type SessionState,
} from '@shared/session'
import type { SessionHostRequests } from '@shared/session-requests'
import { confirmReplace } from './dialogs'
import { askForFolder, askToSave, chooseSessionTarget } from './session-dialogs'
import type { EngineProcess } from './engine-process'
import type { ChosenFiles } from './files'
import type { KeptFile, KeptSession, KeptSessions } from './kept-sessions'
import { stemOf } from './stem'

/** What sessions are opened and saved with. */
export interface SessionParts {
  readonly engine: Pick<EngineProcess, 'request'>
  readonly files: ChosenFiles
  readonly sessions: KeptSessions
  readonly window: { readonly browser: BrowserWindow; session(facts: SessionFacts): void }
}

type ReadSession = SessionHostRequests['session.read']['result']

/** What a session is called: its .clab, else its files. */
export function sessionName({ file, datasets }: Pick<KeptSession, 'file' | 'datasets'>): string {
  if (file !== null) return basename(file)
  const [first, ...others] = datasets.map(({ path }) => basename(path))
  if (first === undefined) return t('sessionDialogs.untitled')
  return others.length === 0 ? first : t('sessionDialogs.andMore', [first, others.length])
}

export function factsOf({ file, unsaved }: Pick<KeptSession, 'file' | 'unsaved'>): SessionFacts {
  return { name: file === null ? null : basename(file), unsaved }
}

/** As the window gets it, with how its files are. @param states see fileStates, of its datasets */
export function openedSession(
  { files, window }: Pick<SessionParts, 'files' | 'window'>,
  session: KeptSession,
  states: readonly FileState[],
): OpenedSession {
  window.session(factsOf(session))
  return {
    ...factsOf(session),
    datasets: session.datasets.map((dataset, i) => openedDataset(files, dataset, states[i] ?? 'missing')),
    state: session.state,
  }
}

/** How the files of datasets are. Asked before another session takes its place: the host may be gone. */
export function fileStates(
  { engine }: Pick<SessionParts, 'engine'>,
  datasets: readonly KeptFile[],
): Promise<readonly FileState[]> {
  return engine.request('session.check', { files: datasets.map(checked) })
}

export function openedDataset(
  files: ChosenFiles,
  { id, path, overrides }: KeptFile,
  file: FileState,
): OpenedDataset {
  return { id, ...files.register(path), folder: dirname(path), overrides, file }
}

/** What the host needs to know of a file to look whether it is as it was. */
export function checked({ id, path, bytes, sha256, modifiedMs }: KeptFile) {
  return { id, path, bytes, sha256, modifiedMs }
}

/** Notes the SHA-256 of files that were opened just now, as soon as they are hashed; one that cannot be stays unknown. */
export async function hashFiles(
  { engine, sessions }: Pick<SessionParts, 'engine' | 'sessions'>,
  datasets: readonly Pick<KeptFile, 'id' | 'sha256'>[],
): Promise<void> {
  for (const { id } of datasets.filter(({ sha256 }) => sha256 === null)) {
    const made = await engine.request('dataset.sha256', { datasetId: id }).catch(() => null)
    if (made !== null) sessions.hashed(id, made)
  }
}

/**
 * Opens a .clab in the place of the session on screen; null when the person turned back.
 * @param signal of the person, who may cancel until it takes the place
 * @throws LabError for what is none, `cancelled`: the session on screen stays
 */
export async function openSessionFile(
  parts: SessionParts,
  path: string,
  signal: AbortSignal,
): Promise<OpenedSession | null> {
  const read = await parts.engine.request('session.read', { path })
  const opened = await inPlace(parts, path, read, signal).catch(async (thrown: unknown) => {
    await discard(parts, read)
    throw thrown
  })
  if (opened === null) await discard(parts, read)
  return opened
}

async function discard({ engine }: SessionParts, { datasets }: ReadSession): Promise<void> {
  await engine.request('session.discard', { datasetIds: datasets.map(({ id }) => id) })
}

/** Null when the person turned back, who is asked about unsaved runs. */
async function inPlace(
  parts: SessionParts,
  path: string,
  read: ReadSession,
  signal: AbortSignal,
): Promise<OpenedSession | null> {
  const { files, sessions } = parts
  throwIfAborted(signal)
  if (!(await mayLeave(parts))) return null
  const datasets = await located(parts, path, read)
  const state: SessionState = {
    shown: read.shown,
    datasets: read.datasets.map(({ id, view, runs }) => ({ id, view, runs })),
  }
  const states = await fileStates(parts, datasets)
  throwIfAborted(signal)
  sessions.begin({ file: path, unsaved: false, datasets, state })
  files.remember(path)
  return openedSession(parts, sessions.current, states)
}

/** Files that moved with their session, then those in the one folder that is asked for. */
async function located(parts: SessionParts, path: string, read: ReadSession): Promise<KeptFile[]> {
  const beside = dirname(path)
  const kept = read.datasets.map(({ view: _view, runs: _runs, ...file }): KeptFile => file)
  const nearby = await locations(parts, kept, (file) => {
    const relative = read.relativePaths[file.id] ?? null
    return relative === null ? null : resolve(beside, relative)
  })
  const states = await fileStates(parts, nearby)
  const lost = nearby.filter((_, i) => states[i] === 'missing')
  if (lost.length === 0) return nearby
  const names = lost.map((file) => basename(file.path))
  const folder = await askForFolder(parts.window.browser, names, beside)
  if (folder === null) return nearby
  return await found(parts, nearby, lost, folder)
}

/** Takes another place for a file that is not at its own, where the same bytes lie there. */
async function locations(
  { engine }: SessionParts,
  kept: readonly KeptFile[],
  locationOf: (file: KeptFile) => string | null,
): Promise<KeptFile[]> {
  const states = await fileStates({ engine }, kept)
  const moved = kept.map((file, i) => ({
    ...file,
    path: states[i] === 'missing' ? (locationOf(file) ?? file.path) : file.path,
  }))
  const now = await fileStates({ engine }, moved)
  return kept.map((file, i) => (now[i] === 'there' ? (moved[i] ?? file) : file))
}

/** The same files with the locations of those that lie in a folder. */
async function found(
  { engine }: SessionParts,
  all: readonly KeptFile[],
  lost: readonly KeptFile[],
  folder: string,
): Promise<KeptFile[]> {
  const files = lost.map(({ id, bytes, sha256 }) => ({ id, bytes, sha256 }))
  const paths = await engine.request('session.find', { folder, files })
  const locations = new Map(lost.map(({ id }, i) => [id, paths[i] ?? null]))
  return all.map((file) => ({ ...file, path: locations.get(file.id) ?? file.path }))
}

/**
 * The file that a person shows for a dataset, and what else of the session lies beside it.
 * @throws LabError `session.other-file` for one with other contents
 */
export async function locateDataset(
  parts: SessionParts,
  datasetId: string,
  path: string,
): Promise<readonly OpenedDataset[]> {
  const { engine, files, sessions } = parts
  const file = sessions.dataset(datasetId)
  const [state] = await engine.request('session.check', {
    files: [{ ...checked(file), path, modifiedMs: -1 }],
  })
  if (state !== 'there') throw otherFile(path, basename(file.path))
  sessions.opened({ ...file, path })
  const { datasets } = sessions.current
  const states = await fileStates(parts, datasets)
  const lost = datasets.filter((_, i) => states[i] !== 'there')
  const all = lost.length === 0 ? datasets : await found(parts, datasets, lost, dirname(path))
  for (const [i, each] of all.entries()) if (each.path !== datasets[i]?.path) sessions.opened(each)
  const now = await fileStates(parts, all)
  return all.map((each, i) => openedDataset(files, each, now[i] ?? 'missing'))
}

function otherFile(path: string, name: string): LabError {
  const message = t('desktop.isNotTheThatTheRuns', [basename(path), name])
  return new LabError('input', 'session.other-file', message)
}

/** Asks where runs are not saved. @returns the session on screen may go */
export async function mayLeave(parts: SessionParts): Promise<boolean> {
  const { sessions, window } = parts
  if (!sessions.hasUnsavedRuns) return true
  const answer = await askToSave(window.browser, sessionName(sessions.current))
  if (answer === 'cancel') return false
  if (answer === 'leave') return true
  const { state } = sessions.current
  if (state === null) return false
  const saved = await saveSession(parts, state, false).catch((thrown: unknown) => {
    // A saving that was cancelled is a person who turned back.
    if (toErrorReport(thrown).kind === 'cancelled') return null
    throw thrown
  })
  return saved !== null
}

/** Into its .clab, or into one that is asked for; null when the person turned back. */
export async function saveSession(
  parts: SessionParts,
  state: SessionState,
  as: boolean,
): Promise<SessionFacts | null> {
  const { engine, files, sessions, window } = parts
  const { current } = sessions
  const known = as ? null : current.file
  const path = known ?? (await chooseSessionTarget(window.browser, current.file ?? proposed(current)))
  if (path === null) return null
  const target = await withEnding(window.browser, path)
  if (target === null) return null
  await hashFiles(parts, sessions.current.datasets)
  await engine.request('session.write', { path: target, ...sessions.content(state) })
  sessions.saved(target, state)
  files.remember(target)
  const facts = factsOf(sessions.current)
  window.session(facts)
  return facts
}

/** The dialog asks before it replaces what is named there, and knows nothing of an ending that is added. */
async function withEnding(browser: BrowserWindow, path: string): Promise<string | null> {
  if (path.toLowerCase().endsWith(sessionEnding)) return path
  const target = `${path}${sessionEnding}`
  const isFree = !existsSync(target) || (await confirmReplace(browser, dirname(target), [basename(target)]))
  return isFree ? target : null
}

function proposed({ datasets }: KeptSession): string {
  const [first] = datasets
  return `${first === undefined ? 'session' : stemOf(first.path)}${sessionEnding}`
}
