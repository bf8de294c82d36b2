import { basename } from 'node:path'
import { LabError } from '@shared/errors'
import { sessionEnding, type SessionRun } from '@shared/session'
import { keptRunFrom, parsedRun, readKeptRun, type KeptRun } from '../run-file/kept-run'
import { withSession, type SessionReader } from './read-session'

/**
 * A clustering that rows can be assigned by: of a run.json, or of a session.
 * @param name which run of a session: its number, its note or the beginning of its id; null where it has one alone
 * @throws LabError `input` for what is none, and for a name that fits no run or several
 */
export async function keptRunAt(path: string, name: string | null): Promise<KeptRun> {
  if (!path.toLowerCase().endsWith(sessionEnding)) {
    if (name !== null) throw noSession(path)
    return await readKeptRun(path)
  }
  return await withSession(path, async (session) => {
    const run = chosen(session, name, basename(path))
    const text = await session.runJson(run.id)
    if (text === '') throw withoutModel(run, basename(path))
    const called = `run ${run.number} of ${basename(path)}`
    return keptRunFrom(parsedRun(called, text), called)
  })
}

function chosen({ index }: SessionReader, name: string | null, session: string): SessionRun {
  const runs = index.datasets.flatMap((dataset) =>
    dataset.runs.map((run) => ({ run, file: basename(dataset.path) })),
  )
  runs.sort((a, b) => a.run.number - b.run.number)
  const fits = name === null ? runs : fitting(runs, name)
  if (fits.length === 1) return fits[0].run
  if (runs.length === 0) {
    const message = `${session} holds no run: make one in the window, and save the session.`
    throw new LabError('input', 'session.no-run', message)
  }
  const listed = (fits.length === 0 ? runs : fits).slice(0, 20).map(({ run, file }) => runWords(run, file))
  const what =
    name === null ? 'holds' : fits.length === 0 ? `has no run ${name}; it holds` : `has several runs ${name}:`
  const message = `${session} ${what} ${listed.join(', ')}: name one of them with --run NUMBER.`
  throw new LabError('input', 'session.which-run', message)
}

type Listed = { readonly run: SessionRun; readonly file: string }

function fitting(runs: readonly Listed[], name: string): readonly Listed[] {
  const byNumber = runs.filter(({ run }) => `${run.number}` === name.replace(/^#/u, ''))
  if (byNumber.length > 0) return byNumber
  const byNote = runs.filter(({ run }) => run.note !== '' && run.note === name)
  return byNote.length > 0 ? byNote : runs.filter(({ run }) => name.length >= 4 && run.id.startsWith(name))
}

function runWords({ number, note }: SessionRun, file: string): string {
  return note === '' ? `${number} (${file})` : `${number} (${file}, “${note}”)`
}

function noSession(path: string): LabError {
  const message = `--run chooses a run of a session, and ${basename(path)} is none: leave it out, or name a ${sessionEnding} file.`
  return new LabError('input', 'session.run-without', message)
}

function withoutModel({ number }: SessionRun, session: string): LabError {
  const message = `Run ${number} of ${session} was made by an earlier version: open the session in the window, show that run, and save it again.`
  return new LabError('input', 'session.no-model', message)
}
