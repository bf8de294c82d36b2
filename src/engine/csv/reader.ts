import type { Dialect } from '@shared/dataset'
import { PapaReader } from './papa-reader'
import type { Newline, TableReader } from './table-reader'
import { WhitespaceReader } from './whitespace-reader'

/** The reader for a dialect. `newline` is that of the file's first lines. */
export function tableReader(dialect: Dialect, newline: Newline): TableReader {
  if (dialect.format === 'headed' || dialect.delimiter === ' ') return new WhitespaceReader(dialect.quote)
  return new PapaReader(dialect.delimiter, dialect.quote, newline)
}
