import { LabError } from '@shared/errors'
import { plural } from '@shared/quantity-words'
import type { ChosenColumnType, ColumnInfo, FileFacts, ImportOverrides, ImportReceipt } from '@shared/dataset'
import { lostColumn, missesItsNumbers } from '../dataset/column-sentences'
import type { Dataset, NumericColumn } from '../dataset/dataset'
import { ColumnBuilder } from './column-builder'
import { ImportNotes } from './import-notes'
import { ImportWarnings } from './import-warnings'
import type { Inspection } from './inspect'
import type { CsvRecord } from './records'
import { endsWithDelimiter } from './row-like'

interface FinishedColumn {
  readonly info: ColumnInfo
  readonly numeric: NumericColumn | undefined
}

/** Takes the records of a file in order and makes the dataset of them. */
export class TableBuilder {
  /** What was read otherwise than the format has it. */
  readonly warnings: ImportWarnings
  readonly #inspection: Inspection
  readonly #builders: readonly ColumnBuilder[]
  readonly #chosenTypes: readonly ChosenColumnType[]
  readonly #titleRows: NonNullable<ImportReceipt['titleRows']>
  readonly #notes = new ImportNotes()
  readonly #leftOut: number[] = []
  readonly #blank: number[] = []
  #lostColumns: readonly string[] = []
  #records = 0
  rows = 0

  /** @param late columns whose numbers begin below the first block */
  constructor(inspection: Inspection, overrides: ImportOverrides, late: ReadonlySet<number> = new Set()) {
    this.#inspection = inspection
    this.warnings = new ImportWarnings(inspection)
    const { names, sample, dialect } = inspection
    this.#chosenTypes = chosenTypes(names, overrides)
    const isSet = overrides.titleRows !== undefined
    this.#titleRows = { count: inspection.titles.length, overridden: isSet }
    this.#builders = names.map((name, index) => {
      const cells = sample.filter((row) => row.length >= names.length).map((row) => row[index])
      return new ColumnBuilder(
        index,
        name,
        cells,
        dialect.decimal,
        overrides.columnTypes?.[index],
        late.has(index),
      )
    })
  }

  blank(record: number): void {
    this.#blank.push(record)
    this.#notes.blankLines++
  }

  add({ record, cells }: CsvRecord): void {
    if (record < this.#inspection.firstRecord) return
    this.#records++
    const width = this.#builders.length
    if (cells.length !== width && !endsWithDelimiter(cells, width)) {
      this.#leftOut.push(record)
      this.#notes.ragged(record, cells.length, width)
      return
    }
    for (let column = 0; column < width; column++) {
      const note = this.#builders[column].push(cells[column], record)
      if (note) this.#notes.cell(record, this.#builders[column].name, cells[column], note)
    }
    this.rows++
  }

  /** Records that never were text: `values` (rows, columns), row-major, finite, units of the file. */
  addNumbers(values: Float64Array, rows: number): void {
    const width = this.#builders.length
    for (let column = 0; column < width; column++) {
      this.#builders[column].pushNumbers(values, column, width, rows)
    }
    this.#records += rows
    this.rows += rows
  }

  /** Columns of numbers, by index, that the first block did not show to be such: their numbers were not kept. */
  missedNumbers(): readonly number[] {
    return this.#builders.filter(({ missedNumbers }) => missedNumbers).map(({ index }) => index)
  }

  columns(): readonly FinishedColumn[] {
    const finished = this.#builders.map((builder) => builder.finish())
    this.#lostColumns = finished
      .map(({ info }) => info)
      .filter(missesItsNumbers)
      .flatMap(lostColumn)
    const proposed = finished.some(({ info }) => info.proposed)
    return proposed ? finished : finished.map(proposeNumbers)
  }

  /** Records that a note is about. */
  get notedRecords(): readonly number[] {
    return this.#notes.records
  }

  receipt(loadMs: number): ImportReceipt {
    const { dialect, bom, evidence, counts } = this.#inspection
    const { tooLong, tooShort, blankLines, infiniteCells } = this.#notes
    return {
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
      notes: [...this.#lostColumns, ...this.#notes.sentences],
      proposedK: counts?.k ?? null,
      loadMs,
    }
  }

  #columnFindings(): string[] {
    const lost = this.#lostColumns.length
    return lost > 0 ? [`${plural(lost, 'column')} left out`] : []
  }

  /** @throws LabError when there is no row, no number, or most rows are ragged. */
  finish(id: string, file: FileFacts, loadMs: number): Dataset {
    this.#refuse(file.path)
    const { form, firstRecord } = this.#inspection
    const columns = this.columns()
    if (columns.every(({ numeric }) => numeric === undefined)) throw noNumericColumn(file.path)
    return {
      id,
      file,
      dialect: form.dialect,
      form,
      receipt: this.receipt(loadMs),
      columns: columns.map(({ info }) => info),
      rows: this.rows,
      numeric: columns.map(({ numeric }) => numeric),
      leftOutRecords: Uint32Array.from(this.#leftOut),
      blankRecords: Uint32Array.from(this.#blank.filter((record) => record >= firstRecord)),
      firstRecord,
      memoryBytes: columns.reduce((sum, { numeric }) => sum + (numeric?.byteLength ?? 0), 0),
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
    const width = this.#builders.length
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
    numeric,
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
