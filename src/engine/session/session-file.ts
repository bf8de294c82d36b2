/**
 * The .clab: a zip that any program opens. README.txt says what is what; session.json holds datasets, settings, views and notes;
 * runs/<folder>/ a run each.
 */
import * as v from 'valibot'
import type { SavedDataset } from '@shared/session'
import { savedDatasets } from './session-schema'

export const sessionFormat = 'centroid-lab-session'
/** Grows when a reader of the old one would misread the new one. */
export const sessionVersion = 1

export const sessionEntry = 'session.json'
export const runEntries = {
  record: 'record.json',
  run: 'run.json',
  labels: 'labels.npy',
  centroids: 'centroids.npy',
  initial: 'initial-centroids.npy',
  history: 'centroid-history.npy',
  profile: 'profile.npy',
  nearest: 'nearest.npy',
} as const

/** What a reader looks at first, whatever else is there. */
export const sessionHead = v.looseObject({
  format: v.literal(sessionFormat),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})

const folder = v.pipe(v.string(), v.regex(/^runs\/[\w-]{1,100}$/u))

export const sessionDocument = v.object({
  savedAt: v.string(),
  shown: v.nullable(v.string()),
  datasets: savedDatasets,
  /** By the id of a dataset: its path seen from the folder of the .clab; null on another disk. */
  relativePaths: v.record(v.string(), v.nullable(v.pipe(v.string(), v.maxLength(32_768)))),
  /** By the id of a run. */
  folders: v.record(v.string(), folder),
})

/** What is to be saved. */
export interface SessionContent {
  readonly shown: string | null
  readonly datasets: readonly SavedDataset[]
}

/** For whoever unpacks one. */
export const readme = `This is a session of Centroid Lab.

session.json               the data files (path, size, SHA-256), how each is read, settings, views, and the runs with their
                           numbers, notes, cluster names and colours; "folders" says which run lies where
runs/N/run.json            the run as Centroid Lab exports it; "centroid-lab predict DATA.csv --model" takes it
runs/N/record.json         the run as the window shows it, every iteration among it
runs/N/labels.npy          int32: the cluster of each clustered row, in the order of the file; rows that were left out have none
runs/N/centroids.npy       (k, d): the centroids in the units of the engine; run.json has them in those of the file
runs/N/initial-centroids.npy and centroid-history.npy (iterations, k, d): the same before, and after each iteration

runs/N/profile.npy         (k + 1, 9, d) where profiles were computed: all rows, then each cluster, in the units of the file; mean,
                           sd, min, q25, median, q75, max, and of a cluster z and standardised difference from the rest
runs/N/nearest.npy         (k, 2): the cluster whose centroid is nearest, and its distance

The data themselves are not in here.
`
