import type { NpyHeader } from './npy-header'

/** Numbers that are kept as they stand in the file, in whatever order of rows and columns. */
export function isFloats({ kind, littleEndian }: Pick<NpyHeader, 'kind' | 'littleEndian'>): boolean {
  return kind === 'f4' && littleEndian
}
