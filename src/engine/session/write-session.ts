import { once } from 'node:events'
import { dirname, relative } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { LabError } from '@shared/errors'
import { appVersion } from '../app-version'
import { checkTarget, writeAtomically, type TextSink } from '../export/atomic-file'
import { writeRunDocument } from '../export/run-json'
import { profileStatistics } from '../quality/kept-profile'
import type { SpooledRun } from '../host/spool'
import { throwIfAborted } from '../slices'
import { npyOf } from './npy'
import {
  readme,
  runEntries,
  sessionEntry,
  sessionFormat,
  sessionVersion,
  type SessionContent,
} from './session-file'

/** Finds a run with its arrays; null where nothing of it is kept. */
export type FindRun = (runId: string) => Promise<SpooledRun | null>

/** Text and labels shrink to a tenth already with little work. */
const compressionLevel = 3
const pieceBytes = 1 << 20

/**
 * Saves a session, whole or not at all. One run after the other is in memory.
 * @param onRows told of the rows of all runs that are written, as arrays go out
 * @throws LabError `io` as every file that is written; `session.run-lost` for a run whose arrays are gone
 */
export async function writeSession(
  path: string,
  content: SessionContent,
  find: FindRun,
  signal: AbortSignal,
  onRows: (rows: number) => void = () => undefined,
): Promise<{ readonly bytes: number }> {
  const target = (await checkTarget(path, true)).path
  return await writeAtomically(path, { replace: true, signal }, async (sink) => {
    const zip = new ZipFile()
    const failed = once(zip, 'error').then(([error]) => Promise.reject(error as Error))
    const folders = foldersOf(content)
    zip.addBuffer(Buffer.from(readme), 'README.txt', {})
    zip.addBuffer(Buffer.from(sessionText(content, folders, dirname(target))), sessionEntry, {
      compressionLevel,
    })
    const counted = rowCounter(onRows)
    for (const [runId, folder] of folders)
      addRun(zip, folder, async () => {
        throwIfAborted(signal)
        const run = await found(runId, find)
        return { run, report: counted(run) }
      })
    zip.end()
    const written = (async () => {
      for await (const piece of zip.outputStream) await sink.writeBytes(piece as Uint8Array)
    })()
    await Promise.race([written, failed])
  })
}

/** By the id of a run. */
function foldersOf({ datasets }: SessionContent): ReadonlyMap<string, string> {
  const folders = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, number } of datasets.flatMap(({ runs }) => runs)) {
    const plain = `runs/${number}`
    const folder = taken.has(plain) ? `${plain}-${folders.size}` : plain
    taken.add(folder)
    folders.set(id, folder)
  }
  return folders
}

function sessionText(content: SessionContent, folders: ReadonlyMap<string, string>, folder: string): string {
  const { shown, datasets } = content
  const relativePaths = datasets.map(({ id, path }) => [id, relative(folder, path)] as const)
  return JSON.stringify(
    {
      ...{ format: sessionFormat, version: sessionVersion, app: appVersion() },
      ...{ savedAt: new Date().toISOString(), shown, datasets },
      relativePaths: Object.fromEntries(relativePaths),
      folders: Object.fromEntries(folders),
    },
    null,
    2,
  )
}

async function found(runId: string, find: FindRun): Promise<SpooledRun> {
  const run = await find(runId)
  if (run !== null) return run
  throw new LabError(
    'input',
    'session.run-lost',
    'The session was not saved because the arrays of one of its runs are no longer kept: remove that run, or run it again.',
    runId,
  )
}

interface LoadedRun {
  readonly run: SpooledRun
  readonly report: ReportBytes
}

/** Told of the bytes of a run that went out. */
type ReportBytes = (bytes: number) => void

/** Of the rows of a run, so many are written as of its bytes. */
function rowCounter(onRows: (rows: number) => void): (run: SpooledRun) => ReportBytes {
  let rows = 0
  return (run) => {
    const [before, { n }, total] = [rows, run.record, bytesOf(run)]
    rows += n
    let given = 0
    return (bytes) => {
      given += bytes
      onRows(before + Math.floor(n * Math.min(1, given / total)))
    }
  }
}

function bytesOf({
  labels,
  centroids,
  initialCentroids,
  centroidHistory: kept,
  profile,
}: SpooledRun): number {
  const arrays = [labels, centroids, initialCentroids, ...kept]
  if (profile !== undefined) arrays.push(profile.statistics, profile.nearest)
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** The run is read when its first entry has its turn, and let go with the last. */
function addRun(zip: ZipFile, folder: string, load: () => Promise<LoadedRun>): void {
  let held: Promise<LoadedRun> | null = null
  const run = () => (held ??= load())
  const add = (name: string, pieces: (run: SpooledRun, report: ReportBytes) => Readable, isLast = false) =>
    zip.addReadStreamLazy(`${folder}/${name}`, { compressionLevel }, (give) => {
      run().then(
        ({ run: loaded, report }) => {
          if (isLast) held = null
          give(null, pieces(loaded, report))
        },
        (error: unknown) => give(error, Readable.from([])),
      )
    })
  add(runEntries.record, ({ record, document }) =>
    Readable.from([Buffer.from(JSON.stringify({ record, document: document ?? null }))]),
  )
  add(runEntries.run, runJson)
  add(runEntries.labels, ({ labels }, report) => inPieces(npyOf(labels, [labels.length]), report))
  add(runEntries.centroids, ({ record: { k, d }, centroids }, report) =>
    inPieces(npyOf(centroids, [k, d]), report),
  )
  add(runEntries.initial, ({ record: { k, d }, initialCentroids }, report) =>
    inPieces(npyOf(initialCentroids, [k, d]), report),
  )
  add(runEntries.profile, ({ record: { k, d }, profile }, report) =>
    profile === undefined
      ? Readable.from([])
      : inPieces(npyOf(profile.statistics, [k + 1, profileStatistics.length, d]), report),
  )
  add(runEntries.nearest, ({ record: { k }, profile }, report) =>
    profile === undefined ? Readable.from([]) : inPieces(npyOf(profile.nearest, [k, 2]), report),
  )
  add(runEntries.history, centroidHistory, true)
}

/** Empty for a run of an older version, which did not note what it takes. */
function runJson({ record, document, centroids, initialCentroids }: SpooledRun): Readable {
  if (document === undefined) return Readable.from([])
  const stream = new PassThrough()
  const sink: TextSink = {
    write: async (text) => {
      if (!stream.write(text)) await once(stream, 'drain')
    },
  }
  writeRunDocument(document, { record, centroids, initialCentroids }, sink).then(
    () => stream.end(),
    (error: unknown) => stream.destroy(error as Error),
  )
  return stream
}

function centroidHistory(
  { record: { k, d }, centroidHistory: kept, centroids }: SpooledRun,
  report: ReportBytes,
): Readable {
  const Type = centroids instanceof Float64Array ? Float64Array : Float32Array
  const [header] = npyOf(new Type(0), [kept.length, k, d])
  const parts = kept.map((each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength))
  return inPieces([header, ...parts], report)
}

function inPieces(parts: readonly Uint8Array[], report: ReportBytes): Readable {
  function* pieces() {
    for (const part of parts)
      for (let at = 0; at < part.length; at += pieceBytes) {
        const piece = part.subarray(at, at + pieceBytes)
        yield piece
        report(piece.length)
      }
  }
  return Readable.from(pieces(), { objectMode: false })
}
