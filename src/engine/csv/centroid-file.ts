import { LabError } from '@shared/errors'
import type { ColumnInfo } from '@shared/dataset'
import { inspect } from './inspect'
import { parseNumber } from './number'
import { readRecords } from './records'

/**
 * Reads centroids, (k, d) in units of the file the features come from. Columns are matched by the names of the
 * features; a file with none of those names must have exactly d columns, taken in order.
 * @throws LabError naming the row and column that is no number, or the columns that are missing.
 */
export async function readCentroidFile(
  path: string,
  features: readonly Pick<ColumnInfo, 'name'>[],
): Promise<{ readonly k: number; readonly values: Float64Array }> {
  const { dialect, form, names, firstRecord } = await inspect(path, { format: 'delimited' }).catch(
    (thrown: unknown) => {
      throw ofCentroids(path, thrown)
    },
  )
  const columns = matchColumns(path, names, features)
  const values: number[] = []
  for await (const batch of readRecords(path, form, new AbortController().signal)) {
    for (const { record, cells } of batch) {
      if (record < firstRecord) continue
      for (const column of columns)
        values.push(coordinate(path, record, names[column], cells[column] ?? '', dialect.decimal))
    }
  }
  const k = values.length / columns.length
  if (k === 0) throw noCentroids(path)
  return { k, values: Float64Array.from(values) }
}

/** A failure to read says that it is not the data that is missing. */
function ofCentroids(path: string, thrown: unknown): unknown {
  if (!(thrown instanceof LabError)) return thrown
  const { kind, code, message, details } = thrown
  const named = message.replace(`The file ${path}`, `The centroid file ${path}`)
  return new LabError(kind, code, named, details)
}

function noCentroids(path: string): LabError {
  const message = `The centroid file ${path} holds no centroids: give it a row for each cluster, or choose another file.`
  return new LabError('input', 'centroids.empty', message)
}

function matchColumns(
  path: string,
  names: readonly string[],
  features: readonly Pick<ColumnInfo, 'name'>[],
): number[] {
  const columns = features.map(({ name }) => names.indexOf(name))
  if (columns.every((column) => column >= 0)) return columns
  const isUnnamed = columns.every((column) => column < 0)
  if (isUnnamed && names.length === features.length) return features.map((_, index) => index)
  const missing = features.filter((_, i) => columns[i] < 0).map(({ name }) => `'${name}'`)
  throw new LabError(
    'input',
    'centroids.columns',
    `The centroid file ${path} has no column ${missing.join(', ')}: it needs one column per feature.`,
  )
}

function coordinate(path: string, record: number, column: string, cell: string, decimal: '.' | ','): number {
  const value = parseNumber(cell, decimal)
  if (value !== null) return value
  throw new LabError(
    'input',
    'centroids.not-a-number',
    `Row ${record}, column ${column} of the centroid file ${path} holds '${cell}', which is no number: correct the cell or choose another file.`,
  )
}
