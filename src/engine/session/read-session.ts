import { basename } from 'node:path'
import * as v from 'valibot'
import { LabError } from '@shared/errors'
import type { SavedDataset } from '@shared/session'
import type { Coordinates } from '../engines/engine'
import type { RunDocument } from '../export/run-document'
import { profileStatistics, type KeptProfile } from '../quality/kept-profile'
import type { SpooledRun } from '../host/spool'
import { fromNpy } from './npy'
import { recordFrom } from './record-schema'
import { runEntries, sessionDocument, sessionEntry, sessionHead, sessionVersion } from './session-file'
import { damaged, SessionZip, type ReadingWatch } from './session-zip'

const maxSessionBytes = 2 ** 28

/** What session.json says. */
export type SessionIndex = v.InferOutput<typeof sessionDocument> & { readonly datasets: SavedDataset[] }

/** An open .clab: its index, and its runs one by one. */
export interface SessionReader {
  readonly index: SessionIndex
  /** @throws LabError `session.damaged` */
  run(datasetId: string, runId: string): Promise<SpooledRun>
  /** Text of the run.json of a run; empty where an older version made none. @throws LabError `session.damaged` */
  runJson(runId: string): Promise<string>
}

/**
 * Opens a .clab for as long as `use` takes.
 * @throws LabError in one sentence: `session.damaged`, `session.newer`, `session.not-found`, `session.unreadable`; `cancelled`
 */
export async function withSession<T>(
  path: string,
  use: (session: SessionReader) => Promise<T>,
  watch: ReadingWatch = {},
): Promise<T> {
  const zip = await SessionZip.open(path, watch)
  try {
    const index = indexFrom(await zip.read(sessionEntry, maxSessionBytes), path)
    const folderOf = (runId: string): string => {
      const folder = index.folders[runId]
      if (folder === undefined) throw damaged(path, `no folder for run ${runId}`)
      return folder
    }
    return await use({
      index,
      run: (datasetId, runId) => readRun(zip, folderOf(runId), datasetId),
      runJson: async (runId) => (await zip.read(`${folderOf(runId)}/${runEntries.run}`)).toString('utf8'),
    })
  } finally {
    zip.close()
  }
}

function indexFrom(bytes: Buffer, path: string): SessionIndex {
  const value = parsed(bytes, path)
  const head = v.safeParse(sessionHead, value)
  if (!head.success) throw damaged(path, head.issues[0].message)
  if (head.output.version > sessionVersion) throw newer(path, head.output.version)
  const index = v.safeParse(sessionDocument, value)
  if (!index.success) {
    const [issue] = index.issues
    throw damaged(path, `${v.getDotPath(issue) ?? sessionEntry}: ${issue.message}`)
  }
  return index.output as SessionIndex
}

function parsed(bytes: Buffer, path: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw damaged(path, String(error))
  }
}

async function readRun(zip: SessionZip, folder: string, datasetId: string): Promise<SpooledRun> {
  const { path } = zip
  const entry = parsed(await zip.read(`${folder}/${runEntries.record}`), path)
  const { record: value, document } = (entry ?? {}) as { record?: unknown; document?: unknown }
  const record = recordFrom(value)
  if (record === null) throw damaged(path, `${folder}: its record cannot be read`)
  const { n, d, k } = record
  const array = async (name: string, shape: readonly number[]) => {
    const read = fromNpy(await zip.read(`${folder}/${name}`))
    if (read !== null && read.shape.join() === shape.join()) return read.values
    throw damaged(path, `${folder}/${name} has another shape than its record`)
  }
  const labels = await array(runEntries.labels, [n])
  if (!(labels instanceof Int32Array) || labels.some((label) => label < 0 || label >= k))
    throw damaged(path, `${folder}: labels of no cluster`)
  const [centroids, initialCentroids] = [
    coordinates(await array(runEntries.centroids, [k, d]), path),
    coordinates(await array(runEntries.initial, [k, d]), path),
  ]
  const history = fromNpy(await zip.read(`${folder}/${runEntries.history}`))
  const centroidHistory = historyOf(history, k * d, path)
  // Not needed here, but a damaged one would come to light when it is needed.
  await zip.read(`${folder}/${runEntries.run}`)
  const head = isRecord(document) ? { document: document as unknown as RunDocument } : {}
  const profile = await profileOf(zip, folder, { k, d })
  const more = { ...head, ...(profile && { profile }) }
  return { datasetId, record, labels, centroids, initialCentroids, centroidHistory, ...more }
}

/** Null where none were computed, and in what an earlier version saved. @throws LabError `session.damaged` */
async function profileOf(
  zip: SessionZip,
  folder: string,
  { k, d }: { readonly k: number; readonly d: number },
): Promise<KeptProfile | null> {
  const part = async (name: string, shape: readonly number[]): Promise<Float64Array | null> => {
    const bytes = zip.has(`${folder}/${name}`) ? await zip.read(`${folder}/${name}`) : Buffer.alloc(0)
    if (bytes.length === 0) return null
    const read = fromNpy(bytes)
    if (read?.values instanceof Float64Array && read.shape.join() === shape.join()) return read.values
    throw damaged(zip.path, `${folder}/${name} has another shape than its record`)
  }
  const statistics = await part(runEntries.profile, [k + 1, profileStatistics.length, d])
  const nearest = await part(runEntries.nearest, [k, 2])
  return statistics && nearest && { statistics, nearest }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function coordinates(values: Int32Array | Coordinates, path: string): Coordinates {
  if (values instanceof Int32Array) throw damaged(path, 'centroids of whole numbers')
  return values
}

function historyOf(read: ReturnType<typeof fromNpy>, each: number, path: string): Coordinates[] {
  if (read === null || read.shape.length !== 3) throw damaged(path, 'a history of another shape')
  const values = coordinates(read.values, path)
  const [iterations] = read.shape
  if (values.length !== iterations * each) throw damaged(path, 'a history of another shape')
  return Array.from({ length: iterations }, (_, i) => values.subarray(i * each, (i + 1) * each))
}

function newer(path: string, version: number): LabError {
  const message = `${basename(path)} was saved by a newer Centroid Lab (format ${version}, this one reads ${sessionVersion}): open it with that version.`
  return new LabError('input', 'session.newer', message)
}
