import { randomUUID } from 'node:crypto'
import type { DatasetView, SavedDataset, SessionRun } from '@shared/session'
import type { SpooledRun } from '../host/spool'
import { throwIfAborted } from '../slices'
import { withSession, type SessionReader } from './read-session'
import type { ReadingWatch } from './session-zip'

/** Where runs go when a session is opened. */
export interface RunShelter {
  add(runId: string, run: SpooledRun): Promise<void>
  discard(datasetId: string): Promise<void>
}

/** A session whose runs are at work. */
export interface UnpackedSession {
  readonly shown: string | null
  readonly datasets: readonly SavedDataset[]
  readonly relativePaths: Readonly<Record<string, string | null>>
}

/**
 * Opens a .clab: every run is checked and put where the runs of the window are, under new ids, so that the same session opened
 * twice, or changes to it that were not saved, get into nobody's way. All of it, or nothing.
 * @throws LabError in one sentence
 */
export async function unpackSession(
  path: string,
  shelter: RunShelter,
  watch: ReadingWatch = {},
): Promise<UnpackedSession> {
  const made: string[] = []
  try {
    const use = async (session: SessionReader): Promise<UnpackedSession> => {
      const datasets: SavedDataset[] = []
      const ids = new Map<string, string>()
      for (const dataset of session.index.datasets) {
        const id = randomUUID()
        made.push(id)
        ids.set(dataset.id, id)
        datasets.push(await unpackDataset(session, dataset, id, shelter))
      }
      throwIfAborted(watch.signal)
      const { shown, relativePaths } = session.index
      return {
        shown: shown === null ? null : (ids.get(shown) ?? null),
        datasets,
        relativePaths: Object.fromEntries(
          [...ids].map(([before, now]) => [now, relativePaths[before] ?? null]),
        ),
      }
    }
    return await withSession(path, use, watch)
  } catch (thrown) {
    for (const id of made) await shelter.discard(id)
    throw thrown
  }
}

async function unpackDataset(
  session: SessionReader,
  dataset: SavedDataset,
  id: string,
  shelter: RunShelter,
): Promise<SavedDataset> {
  const ids = new Map<string, string>()
  const runs: SessionRun[] = []
  for (const run of dataset.runs) {
    const runId = randomUUID()
    const read = await session.run(id, run.id)
    await shelter.add(runId, { ...read, record: { ...read.record, id: runId } })
    ids.set(run.id, runId)
    runs.push({ ...run, id: runId })
  }
  return { ...dataset, id, runs, view: dataset.view && viewWith(dataset.view, ids) }
}

function viewWith(view: DatasetView, ids: ReadonlyMap<string, string>): DatasetView {
  return { ...view, shownRun: view.shownRun === null ? null : (ids.get(view.shownRun) ?? null) }
}
