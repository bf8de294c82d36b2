import { resolve } from 'node:path'
import { columnTypesOf } from '@engine/csv/column-types'
import { openDataset, type ReaderWish } from '@engine/csv/open-dataset'
import type { Dataset } from '@engine/dataset/dataset'
import type { ClusterOptions } from './cluster-arguments'
import type { CliIo } from './io'
import type { Progress } from './progress'

/** Reads the data file of a command, and tells how far it is. @throws LabError as `openDataset` */
export async function loadData(
  {
    file,
    overrides,
    columnTypes = [],
  }: Pick<ClusterOptions, 'file' | 'overrides'> & Partial<Pick<ClusterOptions, 'columnTypes'>>,
  io: Pick<CliIo, 'signal'>,
  progress: Progress,
  wish: ReaderWish = {},
): Promise<Dataset> {
  const path = resolve(file)
  const types = await columnTypesOf(path, overrides, columnTypes)
  return openDataset(
    path,
    { ...overrides, columnTypes: { ...overrides.columnTypes, ...types } },
    ({ rows, bytes, totalBytes }) => {
      const share = Math.floor((100 * bytes) / Math.max(1, totalBytes))
      progress.update(`reading ${file}: ${rows} rows, ${share} %`)
    },
    io.signal,
    wish,
  )
}
