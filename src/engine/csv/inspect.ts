import { basename } from 'node:path'
import { LabError } from '@shared/errors'
import type { Dialect, Evidence, FileFacts, ImportOverrides } from '@shared/dataset'
import { detectDialect } from './dialect'
import { detectEncoding } from './encoding'
import { binaryFile, refuseForeignFormats } from './magic'
import { columnNames } from './names'
import { commonWidth, sampleRecords } from './sample'
import { readHead, sourceFacts } from './text-source'

/** Bytes looked at before a file is read: its first block. */
export const headBytes = 256 << 10

/** What the first block says about a file. */
export interface Inspection {
  readonly file: FileFacts
  readonly dialect: Dialect
  readonly bom: boolean
  readonly evidence: Readonly<Record<keyof Dialect, Evidence>>
  /** Header cells as they stand, or null. */
  readonly header: readonly string[] | null
  readonly names: readonly string[]
  /** First data records: they decide types to begin with, and where columns are centred. */
  readonly sample: readonly (readonly string[])[]
  /** Headed format: the three counts. */
  readonly counts: { readonly n: number; readonly d: number; readonly k: number } | null
}

/** Detects how a file is to be read. @throws LabError for what is no text table. */
export async function inspect(path: string, overrides: ImportOverrides): Promise<Inspection> {
  const { bytes, modifiedMs } = await sourceFacts(path)
  const head = await readHead(path, headBytes)
  refuseForeignFormats(path, head)
  const file = { path, name: basename(path), bytes, sha256: null, modifiedMs }
  return inspectHead(file, head, head.length === bytes, overrides)
}

/**
 * The same, from the first block itself.
 * @param whole the block is all there is
 */
export function inspectHead(
  file: FileFacts,
  head: Uint8Array,
  whole: boolean,
  overrides: ImportOverrides,
): Inspection {
  const { path } = file
  const { encoding, bom, ...encodingSays } = detectEncoding(head, whole, overrides.encoding)
  const text = decodeHead(head, encoding, whole)
  if (text.includes('\0')) throw binaryFile(path, text.slice(0, text.indexOf('\0')).split('\n').length)
  if (text.trim() === '') {
    throw new LabError('input', 'csv.empty', `The file ${path} is empty: choose a file with a table in it.`)
  }
  const { dialect, evidence } = detectDialect(text, whole, encoding, overrides)
  const records = sampleRecords(text, whole, dialect)
  const { header, data, counts } = parts(records, dialect)
  const width = header?.length ?? counts?.d ?? commonWidth(data).width
  return {
    file,
    dialect,
    bom,
    evidence: { ...evidence, encoding: encodingSays },
    header,
    names: columnNames(header, trailing(header, width)),
    sample: data,
    counts,
  }
}

function decodeHead(head: Uint8Array, encoding: Dialect['encoding'], whole: boolean): string {
  return new TextDecoder(encoding === 'latin1' ? 'windows-1252' : encoding).decode(head, { stream: !whole })
}

function parts(
  records: readonly (readonly string[])[],
  dialect: Dialect,
): Pick<Inspection, 'header' | 'counts'> & { data: Inspection['sample'] } {
  if (dialect.format === 'headed') {
    const [n, d, k] = records.slice(0, 3).map((cells) => Number(cells[0]))
    return { header: null, counts: { n, d, k }, data: records.slice(3) }
  }
  if (dialect.header) return { header: records.at(0) ?? [], counts: null, data: records.slice(1) }
  return { header: null, counts: null, data: records }
}

/** A header that ends with a delimiter names no further column. */
function trailing(header: readonly string[] | null, width: number): number {
  return header !== null && width > 1 && header[width - 1].trim() === '' ? width - 1 : width
}
