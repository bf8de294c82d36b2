import { columnTypesOf } from '@engine/csv/column-types'
import { openDataset } from '@engine/csv/open-dataset'
import type { Dataset } from '@engine/dataset/dataset'
import type { NamedColumnType } from '@shared/command-line'
import type { ImportOverrides } from '@shared/dataset'
import { resolve } from 'node:path'
import type { Progress } from './progress'

/** A data file as the options of a command name it. */
export interface FileChoice {
  readonly file: string
  readonly overrides: ImportOverrides
  readonly columnTypes: readonly NamedColumnType[]
}

/** Reads a data file and tells how far it is. @throws LabError what reading a file throws */
export async function loadDataset(
  { file, overrides, columnTypes }: FileChoice,
  progress: Progress,
  signal: AbortSignal,
): Promise<Dataset> {
  const path = resolve(file)
  const types = await columnTypesOf(path, overrides, columnTypes)
  return openDataset(
    path,
    { ...overrides, columnTypes: types },
    ({ rows, bytes, totalBytes }) => {
      const share = Math.floor((100 * bytes) / Math.max(1, totalBytes))
      progress.update(`reading ${file}: ${rows} rows, ${share} %`)
    },
    signal,
  )
}
