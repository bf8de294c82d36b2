import { unitWords } from '@shared/dates'
import type { ColumnInfo } from '@shared/dataset'
import { LabError } from '@shared/errors'
import type { Dataset, NumericColumn } from '../dataset/dataset'
import { indicatorColumn } from '../dataset/one-hot'
import type { KeptRun, KeptFeature } from '../run-file/kept-run'

/** Where the values of a kept feature come from in another file. */
export interface FeatureSource {
  readonly feature: KeptFeature
  readonly info: ColumnInfo
  readonly column: NumericColumn
}

/**
 * The columns of a file that a kept clustering asks for, by name, whatever their order.
 * @throws LabError `predict.column` for one that is missing, `predict.type` for one of another kind
 */
export function columnsByName(dataset: Dataset, kept: KeptRun): readonly FeatureSource[] {
  const columns = new Map(dataset.columns.map((column) => [column.name, column]))
  const missing = new Set(kept.features.map(columnName).filter((name) => !columns.has(name)))
  if (missing.size > 0) throw missingColumns(dataset, [...missing])
  return kept.features.flatMap((feature) => {
    const info = columns.get(columnName(feature))
    return info === undefined ? [] : [{ feature, info, column: valuesOf(dataset, info, feature) }]
  })
}

/** An indicator is named `column=text`, behind which a number may stand where that was taken. */
function columnName({ name, column, category }: KeptFeature): string {
  if (column !== undefined) return column
  if (category === undefined) return name
  const end = name.lastIndexOf(`=${category}`)
  return end < 0 ? name : name.slice(0, end)
}

function valuesOf(dataset: Dataset, info: ColumnInfo, { category, unit }: KeptFeature): NumericColumn {
  if (category !== undefined) return indicatorColumn(dataset, { column: info.index, value: category })
  const column = dataset.numeric[info.index]
  if (column === undefined) throw otherKind(dataset, info, 'holds no numbers')
  const has = info.date === undefined ? undefined : unitWords[info.date.unit]
  if (has === unit) return column
  const [is, was] = [has ?? 'plain numbers', unit ?? 'plain numbers']
  throw otherKind(dataset, info, `holds ${is}, but the clustering was made of ${was}`)
}

function missingColumns({ file, columns }: Dataset, missing: readonly string[]): LabError {
  const maxListed = 12
  const listed = columns.slice(0, maxListed).map((column) => `'${column.name}'`)
  const more = columns.length > maxListed ? ` and ${columns.length - maxListed} more` : ''
  const [first = ''] = missing
  const message =
    missing.length === 1
      ? `${file.name} has no column '${first}', which the clustering was made of: rename or add it (there are ${listed.join(', ')}${more}).`
      : `${file.name} lacks columns that the clustering was made of: rename or add ${missing.map((name) => `'${name}'`).join(', ')} (there are ${listed.join(', ')}${more}).`
  return new LabError('input', 'predict.column', message)
}

function otherKind({ file }: Dataset, { name }: ColumnInfo, why: string): LabError {
  const message = `The column '${name}' of ${file.name} ${why}: give it that type (--column-type), or correct the file.`
  return new LabError('input', 'predict.type', message)
}
