import type { FileHandle } from 'node:fs/promises'
import type { ColumnarFormat } from '@shared/dataset'
import type { ColumnarTable } from './column-cells'

const opening: Readonly<
  Record<ColumnarFormat, () => Promise<(handle: FileHandle, path: string) => Promise<ColumnarTable>>>
> = {
  npy: async () => (await import('./npy/npy-table')).openNpy,
  parquet: async () => (await import('./parquet/parquet-table')).openParquet,
  arrow: async () => (await import('./arrow/arrow-table')).openArrow,
}

/** Its reader is loaded with the first file of its kind. @throws LabError `csv.npy`, `csv.parquet`, `csv.arrow` */
export async function openColumnar(
  format: ColumnarFormat,
  handle: FileHandle,
  path: string,
): Promise<ColumnarTable> {
  const open = await opening[format]()
  return open(handle, path)
}
