import { LabError } from '@shared/errors'

interface ForeignFormat {
  readonly bytes: readonly number[]
  readonly name: string
  /** What to do instead of exporting it as CSV. */
  readonly remedy?: string
}

/** First bytes of formats people drop by mistake, and what to say about them. */
const formats: readonly ForeignFormat[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47], name: 'a PNG image' },
  { bytes: [0xff, 0xd8, 0xff], name: 'a JPEG image' },
  { bytes: [0x47, 0x49, 0x46, 0x38], name: 'a GIF image' },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    name: 'a workbook (xlsx, ods) or a ZIP archive',
    remedy: 'save the sheet as CSV in the spreadsheet program (File, Save As, CSV UTF-8), or unpack it,',
  },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    name: 'an old Office document (xls, doc)',
    remedy: 'save the sheet as CSV in the spreadsheet program (File, Save As, CSV UTF-8)',
  },
  { bytes: [0x1f, 0x8b], name: 'a gzip archive' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], name: 'a Zstandard archive' },
  { bytes: [0x42, 0x5a, 0x68], name: 'a bzip2 archive' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], name: 'an xz archive' },
  { bytes: [0x25, 0x50, 0x44, 0x46], name: 'a PDF document' },
  {
    bytes: [0x50, 0x41, 0x52, 0x45],
    name: 'an encrypted Parquet file',
    remedy: 'write it without encryption',
  },
  {
    bytes: [0x46, 0x45, 0x41, 0x31],
    name: 'an old Feather file (version 1)',
    remedy: 'write it as Feather 2 (Arrow IPC), Parquet or CSV',
  },
  { bytes: [0x89, 0x48, 0x44, 0x46], name: 'an HDF5 file' },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], name: 'a program' },
]

/** @throws LabError `csv.empty`, `csv.not-text` when the first bytes are no text table. */
export function refuseForeignFormats(path: string, head: Uint8Array): void {
  if (head.length === 0) {
    throw new LabError('input', 'csv.empty', `The file ${path} is empty: choose a file with a table in it.`)
  }
  const format = formats.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))
  if (!format) return
  throw new LabError(
    'input',
    'csv.not-text',
    `The file ${path} is not a text table, it looks like ${format.name}: ${format.remedy ?? 'export the table as CSV'} and open that.`,
  )
}

/** The sentence for NUL characters, which no text table holds. */
export function binaryFile(path: string, record: number): LabError {
  return new LabError(
    'input',
    'csv.nul',
    `The file ${path} holds NUL characters near row ${record}, so it is no text table: export the table as CSV and open that.`,
  )
}
