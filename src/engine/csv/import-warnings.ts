import type { Encoding } from '@shared/dataset'
import { plural } from '@shared/quantity-words'
import { encodingNames } from './encoding'
import { grouped } from './import-notes'
import type { Inspection } from './inspect'
import { quoteDoubts, type LineEnds, type QuoteDoubt } from './table-reader'

/** Rows named for each thing that is reported. */
const maxNamed = 4

const sentences: Readonly<Record<QuoteDoubt, string>> = {
  stray: 'a quote stands in the middle of a cell; the cell was read as text',
  unclosed: 'a quote is opened and not closed in its row; the cell was read as text within its line',
  long: 'a quoted cell spans very many lines, or lines that look like rows; it was read as one cell',
  blanks: 'blanks stand between a quote and the delimiter; they were left out',
}

/** Rows of which the same is reported. */
class Rows {
  readonly #first: number[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(record: number): void {
    if (this.#first.at(-1) === record) return
    this.#count++
    if (this.#first.length < maxNamed) this.#first.push(record)
  }

  /** `Row 100: ... 2 other rows are like it: 101 and 9 000.` */
  warnings(sentence: string): string[] {
    const [first, ...others] = this.#first
    if (first === undefined) return []
    const more = this.#count - 1
    const rest = more > others.length ? ` and ${grouped(more - others.length)} more` : ''
    const listed = `${others.map(grouped).join(', ')}${rest}`
    const like =
      more === 1
        ? `1 other row is like it: ${listed}.`
        : `${grouped(more)} other rows are like it: ${listed}.`
    return [`Row ${grouped(first)}: ${sentence}.${more === 0 ? '' : ` ${like}`}`]
  }
}

/** What was read otherwise than the format has it, or is no data: each a sentence with its rows. */
export class ImportWarnings {
  readonly #quotes: Readonly<Record<QuoteDoubt, Rows>> = {
    stray: new Rows(),
    unclosed: new Rows(),
    long: new Rows(),
    blanks: new Rows(),
  }
  readonly #damaged = new Rows()
  readonly #above: readonly string[]
  readonly #aboveCount: number
  /** Columns of lists, bytes and the like. */
  readonly #noCells: number
  readonly #renamed: readonly RenamedColumn[]
  readonly #isLateEncoding: boolean
  readonly #encoding: Encoding
  #lineEnds: readonly string[] = []
  #lastDoubtful = 0
  /** Rows with a quote that neither opens nor closes a cell. */
  doubtfulRows = 0

  constructor(inspection: Inspection) {
    this.#renamed = renamedColumns(inspection)
    this.#above = [...aboveTable(inspection), ...renamed(this.#renamed)]
    this.#aboveCount = inspection.form.leadingLines + inspection.titles.length
    this.#noCells = inspection.columnar?.leftOut ?? 0
    this.#isLateEncoding = inspection.lateEncoding !== null
    this.#encoding = inspection.dialect.encoding
  }

  doubt(doubt: QuoteDoubt, record: number): void {
    this.#quotes[doubt].add(record)
    if (doubt === 'blanks' || this.#lastDoubtful === record) return
    this.#lastDoubtful = record
    this.doubtfulRows++
  }

  damage(record: number): void {
    this.#damaged.add(record)
  }

  lineEnds({ lf, crlf, cr }: Readonly<LineEnds>): void {
    const met = [counted(lf, 'line feed'), counted(crlf, 'CRLF pair'), counted(cr, 'carriage return')].flat()
    this.#lineEnds =
      met.length > 1 ? [`Line ends are mixed: ${met.join(', ')}; each of them ends a row.`] : []
  }

  /** The same in a few words each, but for what `doubtfulRows` counts. */
  findings(): string[] {
    const blanks = this.#quotes.blanks.count
    const more = this.#renamed.length > 1 ? ', …' : ''
    return [
      this.#isLateEncoding ? `read as ${encodingNames[this.#encoding]}` : '',
      this.#aboveCount > 0 ? `${plural(this.#aboveCount, 'line')} above the table left out` : '',
      this.#noCells > 0 ? `${plural(this.#noCells, 'column')} without plain cells left out` : '',
      this.#renamed.length > 0
        ? `${plural(this.#renamed.length, 'column')} renamed (${this.#renamed[0].name}${more})`
        : '',
      blanks > 0 ? `${plural(blanks, 'row')} with blanks beside a quote` : '',
      this.#damaged.count > 0 ? `${plural(this.#damaged.count, 'row')} with damaged characters` : '',
      this.#lineEnds.length > 0 ? 'mixed line ends' : '',
    ].filter(Boolean)
  }

  sentences(): string[] {
    const isWide = this.#encoding.startsWith('utf-16')
    const damaged = isWide
      ? 'half a UTF-16 character stands alone; UTF-8 has none, so exports have � in its place'
      : `some bytes are not valid ${encodingNames[this.#encoding]}; they were read as Latin-1`
    return [
      ...this.#above,
      ...quoteDoubts.flatMap((doubt) => this.#quotes[doubt].warnings(sentences[doubt])),
      ...this.#damaged.warnings(damaged),
      ...this.#lineEnds,
    ]
  }
}

function counted(count: number, word: string): string[] {
  return count === 0 ? [] : [`${grouped(count)} ${word}${count === 1 ? '' : 's'}`]
}

function aboveTable({ leading, form, titles, lateEncoding, columnar }: Inspection): string[] {
  const { separator, comments } = leading
  const above: string[] = lateEncoding === null ? [] : [lateEncoding]
  above.push(...(columnar?.warnings ?? []))
  if (separator !== null) above.push(`Row 1 is 'sep=${separator}', which names the delimiter: it is no data.`)
  if (comments !== null && comments.first <= form.leadingLines) {
    above.push(rowsAre(comments.first, form.leadingLines, 'a comment', 'comments'))
  }
  if (titles.length > 0) above.push(rowsAre(titles[0], titles[titles.length - 1], 'a title', 'a title'))
  return above
}

/** A column whose name an earlier one has, and what it is called instead. */
interface RenamedColumn {
  readonly index: number
  readonly written: string
  readonly name: string
}

function renamedColumns({ header, names }: Inspection): RenamedColumn[] {
  return names.flatMap((name, index) => {
    const written = header?.[index]?.trim() ?? ''
    return written === '' || written === name ? [] : [{ index, written, name }]
  })
}

/** Names that stand twice in the header tell columns apart by what was added. */
function renamed(changed: readonly RenamedColumn[]): string[] {
  const [first] = changed
  if (first === undefined) return []
  const more = changed.length - 1
  const others = more === 1 ? '1 other column is like it.' : `${grouped(more)} other columns are like it.`
  const like = more === 0 ? '' : ` ${others}`
  return [
    `Column ${grouped(first.index + 1)} is called '${first.name}', because an earlier one is named '${first.written}' too.${like}`,
  ]
}

function rowsAre(first: number, last: number, one: string, several: string): string {
  return first === last
    ? `Row ${first} was taken for ${one} above the table: it is no data.`
    : `Rows ${first} to ${last} were taken for ${several} above the table: they are no data.`
}
