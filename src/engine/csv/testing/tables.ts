import { delimiters, type Delimiter, type Dialect } from '@shared/dataset'
import { Chance } from './chance'

/** A table with known cells, and how it is to be written. */
export interface Table {
  readonly header: readonly string[] | null
  readonly rows: readonly (readonly string[])[]
  readonly numericColumns: readonly number[]
  readonly dialect: Dialect
  /** What detection must find; properties that this table leaves open are not listed. */
  readonly expectedDialect: Partial<Dialect>
  readonly newline: '\n' | '\r\n' | '\r'
  readonly bom: boolean
  readonly quoteAll: boolean
  readonly finalNewline: boolean
  readonly trailingDelimiter: boolean
}

type Column = (chance: Chance, row: number) => string

const missing = ['', 'NA', 'nan', 'NULL', '?', '-', '1e400', 'inf']

/** Kinds of numeric columns: whole, fractions, far from zero, very large, gappy, signs and exponents. */
const numericKinds: readonly Column[] = [
  (chance) => String(chance.below(1000) - 500),
  (chance) => (chance.next() * 10).toFixed(3),
  (chance) => String(1_600_000_000 + chance.below(11) - 5),
  (chance) => `${(chance.next() * 9 + 1).toFixed(6)}e${chance.of(['+38', '-40', '5'])}`,
  (chance) => (chance.yes(0.3) ? chance.of(missing) : String(chance.below(97) + 0.5)),
  (chance) => chance.of(['+', '-', '']) + chance.of(['.5', '7.', '0012', '1E3', '2.5e-3']),
]

const tricky = [
  'a',
  'b c',
  'x,y',
  'semi;colon',
  'bar|bar',
  'say "so"',
  '"',
  'two\nlines',
  'tab\there',
  "it's",
]
const plain = ['north', 'south', 'née', 'Größe', 'x-1', 'y_2']

/** A random table in a random dialect; one seed, one table. */
export function randomTable(seed: number): Table {
  const chance = new Chance(seed * 0x9e3779b9)
  const delimiter = chance.of(delimiters)
  const kinds = columnKinds(chance, delimiter)
  // One column of decimal commas is a comma separated file of two columns just as well.
  const decimal = delimiter !== ',' && kinds.length > 1 && chance.yes(0.4) ? ',' : '.'
  const encoding = chance.of(['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const)
  const height = 8 + chance.below(60)
  const newline = chance.of(['\n', '\r\n', '\r'] as const)
  const marked = (cell: string) => (decimal === ',' ? cell.replace('.', ',') : cell)
  const rows = Array.from({ length: height }, (_, row) =>
    kinds.map(({ make, numeric }) =>
      cellFor(delimiter, numeric ? marked(make(chance, row)) : make(chance, row)),
    ),
  )
  const header = chance.yes(0.7) ? kinds.map(({ numeric }, i) => `${numeric ? 'x' : 'größe'}${i}`) : null
  const numericColumns = kinds.flatMap(({ numeric }, i) => (numeric ? [i] : []))
  const dialect: Dialect = {
    format: 'delimited',
    encoding,
    delimiter,
    quote: '"',
    header: header !== null,
    decimal,
  }
  return {
    header,
    rows: rows.map((cells) => cells.map((cell) => withLineEnds(cell, newline))),
    numericColumns,
    dialect,
    expectedDialect: expectedDialect(dialect, kinds.length, rows, header),
    newline,
    bom: encoding !== 'latin1' && (encoding !== 'utf-8' || chance.yes(0.5)),
    quoteAll: chance.yes(0.2),
    finalNewline: chance.yes(0.8),
    trailingDelimiter: delimiter !== ' ' && kinds.length > 1 && chance.yes(0.15),
  }
}

interface Kind {
  readonly make: Column
  readonly numeric: boolean
}

function columnKinds(chance: Chance, delimiter: Delimiter): Kind[] {
  const width = delimiter === ' ' ? 2 + chance.below(4) : 1 + chance.below(6)
  const first: Kind = { make: numericKinds[chance.below(4)], numeric: true }
  const rest = Array.from({ length: width - 1 }, (): Kind => {
    if (chance.yes(0.6)) return { make: chance.of(numericKinds), numeric: true }
    return { make: (draw) => draw.of(draw.yes(0.3) ? tricky : plain), numeric: false }
  })
  return [first, ...rest]
}

/** Blanks as delimiters allow no empty cell and no line end within one. */
function cellFor(delimiter: Delimiter, cell: string): string {
  if (delimiter !== ' ') return cell
  return cell === '' ? 'NA' : cell.replace('\n', ' ')
}

function withLineEnds(cell: string, newline: string): string {
  return cell.replace('\n', newline)
}

function expectedDialect(
  dialect: Dialect,
  width: number,
  rows: readonly (readonly string[])[],
  header: readonly string[] | null,
): Partial<Dialect> {
  const { format, header: hasHeader, delimiter, decimal, encoding } = dialect
  const ascii = [...(header ?? []), ...rows.flat()].every((cell) => /^[\x00-\x7f]*$/.test(cell))
  const marks = rows.flat().some((cell) => /^[^a-z]*\d?,\d?/i.test(cell))
  return {
    format,
    header: hasHeader,
    ...(width > 1 && { delimiter }),
    ...((decimal === '.' || marks) && width > 1 && { decimal }),
    ...(!(ascii && encoding === 'latin1') && { encoding }),
  }
}

/** The bytes of a table. */
export function writeTable(table: Table): Uint8Array {
  const { header, rows, newline, finalNewline } = table
  const lines = (header ? [header, ...rows] : rows).map((cells) => line(table, cells))
  return encoded(lines.join(newline) + (finalNewline ? newline : ''), table)
}

function line({ dialect, quoteAll, trailingDelimiter }: Table, cells: readonly string[]): string {
  const text = cells.map((cell) => {
    const needed = cell === '' ? cells.length === 1 : /["\r\n\t ,;|]/.test(cell)
    const bare = /^[-+.,\d]+$/.test(cell) && !cell.includes(dialect.delimiter)
    return quoteAll || (needed && !bare) ? `"${cell.replaceAll('"', '""')}"` : cell
  })
  return text.join(dialect.delimiter) + (trailingDelimiter ? dialect.delimiter : '')
}

function encoded(text: string, { dialect, bom }: Table): Uint8Array {
  const marked = bom ? `\ufeff${text}` : text
  switch (dialect.encoding) {
    case 'latin1':
      return Buffer.from(text, 'latin1')
    case 'utf-16le':
      return Buffer.from(marked, 'utf16le')
    case 'utf-16be':
      return Buffer.from(marked, 'utf16le').swap16()
    case 'utf-8':
      return Buffer.from(marked)
  }
}
