import { basename } from 'node:path'
import { printable } from '@shared/printable'

/** A name longer than this makes file names that some file systems refuse. */
const maxLength = 100
/** Endings of a table, and of its compression behind them. */
const endings = /(\.(csv|tsv|tab|txt|dat|data|parquet|arrow|feather|ipc|arrows|npy))?(\.(gz|zst|zstd))?$/i

/** The name of a table's file without its endings, as the beginning of other names. */
export function stemOf(path: string): string {
  const name = printable(basename(path))
  const stem = name.replace(endings, '').slice(0, maxLength).trim()
  return stem === '' ? name : stem
}
