import { LabError } from '@shared/errors'
import { plural } from '@shared/quantity-words'
import type { ChosenColumnType, FileFacts, ImportOverrides, ImportReceipt, ReaderUsed } from '@shared/dataset'
import { dateColumns, lostColumn, missesItsNumbers, writtenNumbers } from '../dataset/column-sentences'
import { inMemory, type Room } from '../scratch/room'
import type { Dataset } from '../dataset/dataset'
import type { ColumnCells } from '../formats/column-cells'
import { ColumnBuilder } from './column-builder'
import type { FinishedColumn, GrowingColumn } from './finished-column'
import { ImportNotes } from './import-notes'
import { ImportWarnings } from './import-warnings'
import type { Inspection } from './inspect'
import type { CsvRecord } from './records'
import { endsWithDelimiter } from './row-like'

/** A cell that counts as missing, column by column. */
interface NotedCell {
  readonly record: number
  readonly column: number
  readonly cell: string
  readonly note: 'infinite' | 'other'
}

/** What is known of a file at its end. */
interface ReadElsewhere {
  readonly columns: readonly GrowingColumn[]
  readonly rows: number
  /** Rows, and records that do not have the table's cells. */
  readonly records: number
  /** Of columns of which numbers are kept. */
  readonly infiniteCells: number
}

/** Takes the records of a file in order and makes the dataset of them. */
export class TableBuilder {
  /** What was read otherwise than the format has it. */
  readonly warnings: ImportWarnings
  readonly #inspection: Inspection
  readonly #room: Room
  /** From the first block. */
  readonly builders: readonly ColumnBuilder[]
  #columns: readonly GrowingColumn[]
  readonly #chosenTypes: readonly ChosenColumnType[]
  readonly #titleRows: NonNullable<ImportReceipt['titleRows']>
  readonly #notes = new ImportNotes()
  readonly #unordered: NotedCell[] = []
  readonly #leftOut: number[] = []
  readonly #blank: number[] = []
  #lostColumns: readonly string[] = []
  /** How numbers were read that are not written plainly. */
  #writtenColumns: readonly string[] = []
  /** In what order dates were read. */
  #dateColumns: readonly string[] = []
  #records = 0
  rows = 0

  /**
   * @param late columns whose numbers begin below the first block
   * @param room where columns of numbers are kept
   */
  constructor(
    inspection: Inspection,
    overrides: ImportOverrides,
    late: ReadonlySet<number> = new Set(),
    room: Room = inMemory,
  ) {
    this.#inspection = inspection
    this.#room = room
    this.warnings = new ImportWarnings(inspection)
    const { names, sample, dialect } = inspection
    this.#chosenTypes = chosenTypes(names, overrides)
    const isSet = overrides.titleRows !== undefined
    this.#titleRows = { count: inspection.titles.length, overridden: isSet }
    this.builders = names.map((name, index) => {
      const cells = sample.filter((row) => row.length >= names.length).map((row) => row[index])
      return new ColumnBuilder(
        index,
        name,
        cells,
        dialect.decimal,
        overrides.columnTypes?.[index],
        late.has(index),
        room,
        inspection.columnar?.texts.has(index),
      )
    })
    this.#columns = this.builders
  }

  blank(record: number): void {
    this.#blank.push(record)
    this.#notes.blankLines++
  }

  add({ record, cells }: CsvRecord): void {
    if (record < this.#inspection.firstRecord) return
    this.#records++
    const width = this.builders.length
    if (cells.length !== width && !endsWithDelimiter(cells, width)) {
      this.leaveOut(record, cells.length)
      return
    }
    for (let column = 0; column < width; column++) {
      const note = this.builders[column].push(cells[column], record)
      if (note) this.note(record, column, cells[column], note)
    }
    this.rows++
  }

  /** A record that does not have the table's cells. */
  leaveOut(record: number, cells: number): void {
    this.#leftOut.push(record)
    this.#notes.ragged(record, cells, this.builders.length)
  }

  /** A cell that counts as missing. */
  note(record: number, column: number, cell: string, kind: 'infinite' | 'other'): void {
    this.#notes.cell(record, this.builders[column].name, cell, kind)
  }

  /** Rows that another reader has read, instead of `add`. */
  readElsewhere({ columns, rows, records, infiniteCells }: ReadElsewhere): void {
    this.#columns = columns
    this.rows = rows
    this.#records = records
    this.#notes.infiniteCells = infiniteCells
  }

  /** Records that never were text: `values` (rows, columns), row-major, finite, units of the file. */
  addNumbers(values: Float64Array, rows: number): void {
    const width = this.builders.length
    for (let column = 0; column < width; column++) {
      this.builders[column].pushNumbers(values, column, width, rows)
    }
    this.#records += rows
    this.rows += rows
  }

  /** Cells of a column that never were text, of records from `first` on: rows of the table once `endRows` is called. */
  addCells(column: number, cells: ColumnCells, first: number): void {
    const builder = this.builders[column]
    const { rows } = cells
    const numbers = builder.keepsNumbers ? cells.numbers : null
    for (let row = 0; row < rows;) {
      // What float64 does not tell apart is looked at as text.
      const end = numbers === null ? row : endOfPlain(numbers, row, rows)
      if (numbers !== null && end > row) builder.pushNumbers(numbers, row, 1, end - row)
      for (row = end; row < rows && (numbers === null || !isPlain(numbers[row])); row++) {
        const cell = cells.textAt(row)
        const note = builder.push(cell, first + row)
        if (note) this.#unordered.push({ record: first + row, column, cell, note })
      }
    }
  }

  /** Each column has so many cells more. */
  endRows(rows: number): void {
    this.#unordered.sort((a, b) => a.record - b.record || a.column - b.column)
    for (const { record, column, cell, note } of this.#unordered) {
      this.#notes.cell(record, this.builders[column].name, cell, note)
    }
    this.#unordered.length = 0
    this.#records += rows
    this.rows += rows
  }

  /** Columns of numbers, by index, that the first block did not show to be such: their numbers were not kept. */
  missedNumbers(): readonly number[] {
    return this.#columns.filter(({ missedNumbers }) => missedNumbers).map(({ index }) => index)
  }

  columns(): readonly FinishedColumn[] {
    const finished = this.#columns.map((column) => column.finish())
    this.#lostColumns = finished
      .map(({ info }) => info)
      .filter(missesItsNumbers)
      .flatMap(lostColumn)
    this.#writtenColumns = finished.flatMap(({ info }) => writtenNumbers(info))
    this.#dateColumns = finished.flatMap(({ info }) => dateColumns(info))
    const proposed = finished.some(({ info }) => info.proposed)
    return proposed ? finished : finished.map(proposeNumbers)
  }

  /** Records that a note is about. */
  get notedRecords(): readonly number[] {
    return this.#notes.records
  }

  receipt(loadMs: number, reader?: ReaderUsed): ImportReceipt {
    const { dialect, bom, evidence, counts, columnar } = this.#inspection
    const { tooLong, tooShort, blankLines, infiniteCells } = this.#notes
    return {
      ...(columnar !== null && { columnar: columnar.format }),
      dialect,
      bom,
      evidence,
      chosenTypes: this.#chosenTypes,
      titleRows: this.#titleRows,
      records: this.#records,
      rows: this.rows,
      tooLong,
      tooShort,
      blankLines,
      infiniteCells,
      doubtfulRows: this.warnings.doubtfulRows,
      warnings: this.warnings.sentences(),
      findings: [...this.warnings.findings(), ...this.#columnFindings()],
      notes: [
        ...(this.#room.reason === null ? [] : [this.#room.reason]),
        ...this.#lostColumns,
        ...this.#writtenColumns,
        ...this.#dateColumns,
        ...this.#notes.sentences,
      ],
      proposedK: counts?.k ?? null,
      ...(reader && { reader }),
      loadMs,
    }
  }

  #columnFindings(): string[] {
    const lost = this.#lostColumns.length
    const written = this.#writtenColumns.length
    const dates = this.#dateColumns.length
    return [
      ...(this.#room.location === 'scratch' ? ['in a scratch file'] : []),
      ...(lost > 0 ? [`${plural(lost, 'column')} left out`] : []),
      ...(dates > 0 ? [`${plural(dates, 'column')} of dates`] : []),
      ...(written > 0 ? [`${plural(written, 'column')} of numbers with units or groups`] : []),
    ]
  }

  /** @throws LabError when there is no row, no number, or most rows are ragged. */
  finish(id: string, file: FileFacts, loadMs: number, reader?: ReaderUsed): Dataset {
    this.#refuse(file.path)
    const { form, firstRecord } = this.#inspection
    const columns = this.columns()
    if (columns.every(({ numeric }) => numeric === undefined)) throw noNumericColumn(file.path)
    return {
      id,
      file,
      dialect: form.dialect,
      form,
      receipt: this.receipt(loadMs, reader),
      columns: columns.map(({ info }) => info),
      rows: this.rows,
      numeric: columns.map(({ numeric }) => numeric),
      categories: columns.map(({ categories }) => categories),
      leftOutRecords: Uint32Array.from(this.#leftOut),
      blankRecords: Uint32Array.from(this.#blank.filter((record) => record >= firstRecord)),
      firstRecord,
      memoryBytes: columns.reduce((sum, column) => sum + bytesOf(column), 0),
    }
  }

  #refuse(path: string): void {
    const { counts } = this.#inspection
    const ragged = this.#leftOut.length
    if (this.#records === 0) throw noRows(path, this.#titleRows.count)
    if (counts && counts.n !== this.#records) throw wrongCount(path, counts.n, this.#records)
    if (ragged * 2 > this.#records) throw this.#ragged(path, ragged)
  }

  #ragged(path: string, ragged: number): LabError {
    const { dialect, sample } = this.#inspection
    const width = this.builders.length
    const doubled =
      dialect.delimiter === ',' && sample.some((cells) => cells.length === 2 * width && cells.every(isDigits))
    const hint = doubled ? decimalCommaHint(width) : 'choose another delimiter, or mend the rows'
    return new LabError(
      'input',
      doubled ? 'csv.decimal-comma' : 'csv.ragged',
      `In ${path} ${ragged} of ${this.#records} rows have another number of cells than ${width} (the first: ${this.#notes.firstRagged}): ${hint}.`,
    )
  }
}

function bytesOf({ numeric, categories }: FinishedColumn): number {
  return (numeric?.byteLength ?? 0) + (categories?.byteLength ?? 0)
}

/** Finite, and told apart from its neighbours where it is whole. */
function isPlain(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

/** Up to where all numbers are plain. */
function endOfPlain(numbers: Float64Array, begin: number, end: number): number {
  let at = begin
  while (at < end && isPlain(numbers[at])) at++
  return at
}

/** Types given to columns that the file does not have mean nothing. */
function chosenTypes(names: readonly string[], { columnTypes = {} }: ImportOverrides): ChosenColumnType[] {
  return names.flatMap((name, index) => {
    const type = columnTypes[index]
    return type === undefined ? [] : [{ index, name, type }]
  })
}

function decimalCommaHint(width: number): string {
  const remedy =
    width === 1
      ? 'set the delimiter to the semicolon and the decimal mark to the comma'
      : 'separate the cells by semicolons, or write numbers with a decimal point'
  return `the commas look like decimal marks, so ${remedy}`
}

/** What a decimal comma leaves on either side of it. */
function isDigits(cell: string): boolean {
  return /^\s*[+-]?\d+\s*$/.test(cell)
}

/** With nothing better, numbers that look like an identifier are what there is to cluster. */
function proposeNumbers(column: FinishedColumn): FinishedColumn {
  const { info, numeric } = column
  if (numeric === undefined || info.type !== 'identifier') return column
  return {
    ...column,
    info: {
      ...info,
      type: 'numeric',
      proposed: true,
      because: `${info.because} It is the only numeric column.`,
    },
  }
}

function noRows(path: string, titleRows: number): LabError {
  const titles = titleRows === 1 ? 'the title row' : `the ${titleRows} title rows`
  const sentence =
    titleRows === 0
      ? `The file ${path} has a header row but no rows of data: choose a file with data.`
      : `The file ${path} has no rows of data below ${titles}: choose fewer title rows, or a file with data.`
  return new LabError('input', 'csv.no-rows', sentence)
}

function noNumericColumn(path: string): LabError {
  return new LabError(
    'input',
    'csv.no-numeric',
    `No column of ${path} holds numbers: choose a file with at least one numeric column, or set another delimiter or decimal mark.`,
  )
}

function wrongCount(path: string, stated: number, counted: number): LabError {
  return new LabError(
    'input',
    'csv.headed-count',
    `Line 1 of ${path} says ${stated} points but ${counted} rows follow: correct line 1 or the rows.`,
  )
}
