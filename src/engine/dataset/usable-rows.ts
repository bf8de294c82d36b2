import { assertNever } from '@shared/assert-never'
import type { ColumnInfo, MissingPolicy } from '@shared/dataset'
import { LabError } from '@shared/errors'
import type { RowFilter } from '@shared/row-filter/row-filter'
import type { HeldPart, ProcessGroupHandle } from '../engines/engine'
import { bytesOf, gathered, gatheredData, summed } from '../processes/collective'
import type { Slices } from '../slices'
import { alignColumns, rowsOfPoints } from './aligned-columns'
import { asInFile, type Centre } from './centre'
import { centreOf, type CentredRange } from './column-centre'
import type { Dataset, NumericColumn } from './dataset'
import { FeatureColumn } from './feature-column'
import { fileRow } from './file-row'
import { onAddon } from './on-addon'
import { indicatorColumn } from './one-hot'
import { quantiles } from './order-statistics'
import type { Preparation } from './prepared'
import { filteredMark, markFiltered, noRowKept, type RowMarks } from './row-filter'

const blockRows = 1 << 16

/** Rows that miss a cell of a feature; see `RowMarks`. */
const incompleteMark = 1

/** The rows that become points, and what stands in for their missing cells. */
export interface UsableRows {
  /** Of all processes. */
  readonly n: number
  /** Where several processes hold the points: those of this one, which the columns have. */
  readonly part?: HeldPart
  readonly columns: readonly FeatureColumn[]
  /** Cells of the points, a column for each feature. */
  readonly cells: readonly PointCells[]
  /** Dataset row of each point held here; null when every row is a point. */
  readonly rows: Uint32Array | null
  /** Dataset rows that are no points, ascending. */
  readonly leftOut: Uint32Array
  /** Those of them that the filter does not keep. */
  readonly filteredOut: Uint32Array
  readonly filledCells: number
  /** (d) units of the file; null when the policy fills none. */
  readonly fill: Float64Array | null
}

/**
 * Applies the filter, and to what it keeps the policy for missing cells.
 * @throws LabError `prepare.missing` under `refuse`, naming row and column; `prepare.no-rows`, `filter.*`
 */
export async function usableRows(
  dataset: Dataset,
  preparation: Pick<Preparation, 'features' | 'indicators' | 'missing' | 'filter'>,
  slices: Slices,
): Promise<UsableRows> {
  const { missing } = preparation
  const sources = sourcesOf(dataset, preparation)
  const chosen = await chosenRows(dataset, sources, preparation, slices)
  const { leftOut, filteredOut } = chosen
  const points = await pointsOf(dataset, sources, chosen, slices)
  if (missing === 'mean' || missing === 'median') {
    const made = await filled(dataset, points, missing, slices)
    return { ...points, ...made, leftOut, filteredOut }
  }
  const columns: FeatureColumn[] = []
  for (const source of points.sources) {
    const centre = await centreFor(source, points, slices)
    columns.push(new FeatureColumn(source.column, centre, points.columnRows, NaN, groupOf(points)))
  }
  return { ...points, columns, leftOut, filteredOut, filledCells: 0, fill: null }
}

/** Rows of the dataset, each ascending. */
interface ChosenRows extends Pick<UsableRows, 'leftOut' | 'filteredOut'> {
  /** Those of this process that become points; null for all. */
  readonly rows: Uint32Array | null
}

/** What was chosen last of a dataset, for as long as somebody has points of it: other units, or other features, are of the same rows. */
const chosenLast = new WeakMap<
  Dataset,
  { readonly choice: string; readonly held: readonly WeakRef<Uint32Array>[] }
>()

/** @throws LabError as `usableRows` */
async function chosenRows(
  dataset: Dataset,
  sources: readonly FeatureSource[],
  { missing, filter = null }: Pick<Preparation, 'missing' | 'filter'>,
  slices: Slices,
): Promise<ChosenRows> {
  const isFilled = missing === 'mean' || missing === 'median'
  const gappy = isFilled ? [] : sources.filter(({ info, isFirst }) => isFirst && info.missing > 0)
  const choice = JSON.stringify([filter, isFilled ? 'fill' : missing, gappy.map(({ info }) => info.index)])
  const last = chosenLast.get(dataset)
  if (last?.choice === choice) {
    const [rows, leftOut, filteredOut] = last.held.map((array) => array.deref())
    if (rows && leftOut && filteredOut) return { rows, leftOut, filteredOut }
  }
  const found = await choose(dataset, sources, { missing, filter, gappy }, slices)
  const { rows, leftOut, filteredOut } = found
  // Processes that hold the rows together go through every step together.
  if (rows !== null && dataset.part === undefined) {
    const held = [rows, leftOut, filteredOut].map((array) => new WeakRef(array))
    chosenLast.set(dataset, { choice, held })
  }
  return found
}

interface Choice extends Pick<Preparation, 'missing'> {
  readonly filter: RowFilter | null
  /** The rows that miss one of them are left out; none where gaps are filled. */
  readonly gappy: readonly FeatureSource[]
}

async function choose(
  dataset: Dataset,
  sources: readonly FeatureSource[],
  { missing, filter, gappy }: Choice,
  slices: Slices,
): Promise<ChosenRows> {
  const filtered = await markFiltered(dataset, filter, slices)
  const filteredRows = await summedRows(dataset, filtered.count)
  if (filteredRows === dataset.rows && filter !== null) throw noRowKept(dataset)
  const filteredOut = await positionsOfAll(dataset, filtered, (mark) => mark === filteredMark)
  const all = await markIncomplete(
    gappy.map(({ column }) => column),
    filtered,
    slices,
  )
  const count = await summedRows(dataset, all.count)
  if (missing === 'refuse' && count > filteredRows) throw await firstRefusal(dataset, sources, all.marks)
  if (count === dataset.rows) throw noUsableRow(dataset)
  const leftOut =
    count === filteredRows ? filteredOut : await positionsOfAll(dataset, all, (mark) => mark !== 0)
  return {
    rows: leftOut.length === 0 ? null : positions(all, (mark) => mark === 0),
    leftOut,
    filteredOut,
  }
}

/** The cell of a point held here, units of the file. */
export type PointCells = (point: number) => number

interface UsablePoints extends Pick<UsableRows, 'n' | 'part' | 'rows' | 'cells'> {
  readonly sources: readonly FeatureSource[]
  /** Row of each point in the columns of the sources; null where every row is a point. */
  readonly columnRows: Uint32Array | null
}

async function pointsOf(
  dataset: Dataset,
  sources: readonly FeatureSource[],
  { rows, leftOut }: ChosenRows,
  slices: Slices,
): Promise<UsablePoints> {
  const { part } = dataset
  const n = dataset.rows - leftOut.length
  if (part === undefined || rows === null) {
    const cells = sources.map(
      ({ column }) =>
        (point: number) =>
          column.at(rows === null ? point : rows[point]),
    )
    return { n, ...(part && { part }), rows, columnRows: rows, cells, sources }
  }
  const held = sources.map(({ column }) => column)
  const aligned = await alignColumns(held, rows, part.processes, slices)
  const { columns } = aligned
  return {
    ...{ n, part: aligned.part, rows: rowsOfPoints(leftOut, aligned.part), columnRows: null },
    cells: columns.map((column) => (point: number) => column.at(point)),
    sources: sources.map((source, j) => ({ ...source, column: columns[j] })),
  }
}

/** Of rows that each process counted among its own. */
async function summedRows({ part }: Dataset, count: number): Promise<number> {
  return part === undefined ? count : (await summed(part.processes, [count]))[0]
}

/** Rows of the dataset, whoever holds them. */
async function positionsOfAll(
  { part }: Dataset,
  marked: RowMarks,
  wanted: (mark: number) => boolean,
): Promise<Uint32Array> {
  const own = positions(marked, wanted)
  if (part === undefined) return own
  const all = await gathered(part.processes, bytesOf(own.map((row) => row + part.first)))
  return new Uint32Array(Uint8Array.from(Buffer.concat(all)).buffer)
}

/** Of the first row that misses a cell. */
async function firstRefusal(
  dataset: Dataset,
  sources: readonly FeatureSource[],
  marks: Uint8Array,
): Promise<LabError> {
  const row = marks.indexOf(incompleteMark)
  const own = row < 0 ? null : refusal(dataset, sources, row).message
  const { part } = dataset
  const all = part === undefined ? [own] : await gatheredData(part.processes, own)
  return new LabError('input', 'prepare.missing', all.find((sentence) => sentence !== null) ?? '')
}

/** Where the values of a feature come from. */
interface FeatureSource {
  readonly column: NumericColumn
  /** Of the column of the file. */
  readonly info: ColumnInfo
  /** It tells apart the texts of a column. */
  readonly isIndicator: boolean
  /** No feature before it is made of the same column, and so misses the same cells. */
  readonly isFirst: boolean
}

function sourcesOf(
  dataset: Dataset,
  { features, indicators = [] }: Pick<Preparation, 'features' | 'indicators'>,
): readonly FeatureSource[] {
  const { columns } = dataset
  const plain = { isIndicator: false, isFirst: true }
  return [
    ...features.map((index) => ({ column: numericColumn(dataset, index), info: columns[index], ...plain })),
    ...indicators.map((indicator, i) => ({
      column: indicatorColumn(dataset, indicator),
      info: columns[indicator.column],
      isIndicator: true,
      isFirst: indicators[i - 1]?.column !== indicator.column,
    })),
  ]
}

/** An indicator, 0 or 1, has all its digits about 0. */
async function centreFor(
  { column, isIndicator }: FeatureSource,
  points: UsablePoints,
  slices: Slices,
): Promise<Centre & Partial<CentredRange>> {
  return isIndicator ? asInFile : await centreOf(column, points.columnRows, slices, groupOf(points))
}

/** Of the processes that hold points. */
function groupOf({ part }: Pick<UsablePoints, 'part'>): ProcessGroupHandle | undefined {
  return part?.processes.group
}

function numericColumn(dataset: Dataset, index: number): NumericColumn {
  const column = dataset.numeric[index]
  if (column !== undefined) return column
  throw new LabError(
    'input',
    'features.not-numeric',
    `Column ${index + 1} of ${dataset.file.name} holds no numbers: choose a numeric column.`,
  )
}

/** How many of the rows that a filter keeps miss a cell in at least one of the features: as many as `drop` leaves out. */
export async function countIncompleteRows(
  dataset: Dataset,
  features: readonly number[],
  filter: RowFilter | null,
  slices: Slices,
): Promise<number> {
  const held = features.map((index) => cellsOf(dataset, index))
  const filtered = await markFiltered(dataset, filter, slices)
  const { count } = filtered
  return (await markIncomplete(held, filtered, slices)).count - count
}

/** Of texts only whether they are there. */
function cellsOf(dataset: Dataset, index: number): NumericColumn {
  const isText = dataset.categories?.[index] !== undefined
  return isText ? indicatorColumn(dataset, { column: index, value: '' }) : numericColumn(dataset, index)
}

/** Marks the rows that miss a cell and are not marked yet, in place. */
async function markIncomplete(
  columns: readonly NumericColumn[],
  { marks, count: before }: RowMarks,
  slices: Slices,
): Promise<RowMarks> {
  if (columns.length === 0) return { marks, count: before }
  const own = onAddon(columns.map((column) => new FeatureColumn(column, asInFile, null, NaN)))
  let count = before
  if (own !== null) {
    const found = new Uint8Array(marks.length)
    await slices.elsewhere(own.addon.incompleteRows(own.columns, found))
    for (let row = 0; row < marks.length; row++) {
      if (found[row] === 0 || marks[row] !== 0) continue
      marks[row] = incompleteMark
      count++
    }
    return { marks, count }
  }
  for (const column of columns) {
    for (let start = 0; start < marks.length; start += blockRows) {
      const end = Math.min(marks.length, start + blockRows)
      for (let row = start; row < end; row++) {
        if (!Number.isNaN(column.at(row)) || marks[row] !== 0) continue
        marks[row] = incompleteMark
        count++
      }
      await slices.next()
    }
  }
  return { marks, count }
}

function positions({ marks, count: marked }: RowMarks, wanted: (mark: number) => boolean): Uint32Array {
  if (marked === 0 && !wanted(0)) return new Uint32Array()
  const isWanted = Uint8Array.from([0, incompleteMark, filteredMark], (mark) => Number(wanted(mark)))
  let count = 0
  for (let row = 0; row < marks.length; row++) count += isWanted[marks[row]]
  // Each row is written where the next one that is wanted belongs: no branch is taken wrongly.
  const found = new Uint32Array(count + 1)
  let at = 0
  for (let row = 0; row < marks.length; row++) {
    found[at] = row
    at += isWanted[marks[row]]
  }
  return found.subarray(0, count)
}

async function filled(
  dataset: Dataset,
  points: UsablePoints,
  policy: Extract<MissingPolicy, 'mean' | 'median'>,
  slices: Slices,
): Promise<Pick<UsableRows, 'columns' | 'filledCells' | 'fill'>> {
  const { n, sources, columnRows: rows } = points
  const columns: FeatureColumn[] = []
  const fill = new Float64Array(sources.length)
  let filledCells = 0
  for (const [j, source] of sources.entries()) {
    const { column, info, isIndicator, isFirst } = source
    const centre = await centreFor(source, points, slices)
    const values = new FeatureColumn(column, centre, rows, NaN, groupOf(points))
    // What is filled for a text are the shares of the texts: they have no median.
    const { value, missing } = await standIn(values, n, isIndicator ? 'mean' : policy, slices)
    if (missing === n) throw noValueKept(dataset, info)
    columns.push(new FeatureColumn(column, centre, rows, value, groupOf(points)))
    fill[j] = columns[j].toFile(value)
    if (isFirst) filledCells += missing
  }
  return { columns, filledCells, fill }
}

/** What fills the gaps of a column, in column units. */
async function standIn(
  values: FeatureColumn,
  n: number,
  policy: Extract<MissingPolicy, 'mean' | 'median'>,
  slices: Slices,
): Promise<{ readonly value: number; readonly missing: number }> {
  const { count, sum } = await values.moments(slices)
  const missing = n - count
  switch (policy) {
    case 'mean':
      return { value: sum / count, missing }
    case 'median': {
      const [median] = await values.figure('median', () => quantiles(values, [0.5], slices))
      return { value: median, missing }
    }
    default:
      return assertNever(policy, 'policy for missing values')
  }
}

function refusal(dataset: Dataset, sources: readonly FeatureSource[], row: number): LabError {
  const found = sources.find(({ column }) => Number.isNaN(column.at(row)))
  const what = found?.isIndicator ? 'text' : 'number'
  return new LabError(
    'input',
    'prepare.missing',
    `Row ${fileRow(dataset, (dataset.part?.first ?? 0) + row)}, column '${found?.info.name}' of ${dataset.file.name} has no ${what}: fill the cell, or leave such rows out (--missing drop), or fill them by mean or median (--missing mean, --missing median).`,
  )
}

function noUsableRow({ file }: Dataset): LabError {
  return new LabError(
    'input',
    'prepare.no-rows',
    `Every row of ${file.name} has a missing value in a chosen feature: choose other features, or fill missing cells by mean or median (--missing mean, --missing median).`,
  )
}

/** With a filter alone: a column without any value is no feature. */
function noValueKept({ file }: Dataset, { name }: ColumnInfo): LabError {
  return new LabError(
    'input',
    'prepare.no-rows',
    `The filter keeps no row of ${file.name} with a value in column '${name}': choose other features, or change its conditions.`,
  )
}
