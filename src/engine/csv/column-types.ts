import type { NamedColumnType } from '@shared/command-line'
import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { inspect } from './inspect'

/** Column names beyond this number are not listed in an error. */
const maxListed = 12

/**
 * Column types given by name, by index as `ImportOverrides` has them: the first block of the file tells which
 * column has which name. @throws LabError `columns.unknown`, and what reading a file throws.
 */
export async function columnTypesOf(
  path: string,
  overrides: ImportOverrides,
  types: readonly NamedColumnType[],
): Promise<NonNullable<ImportOverrides['columnTypes']>> {
  if (types.length === 0) return {}
  const { names, file } = await inspect(path, overrides)
  return Object.fromEntries(types.map(({ name, type }) => [columnIndex(names, name, file.name), type]))
}

function columnIndex(names: readonly string[], name: string, file: string): number {
  const index = names.indexOf(name)
  if (index >= 0) return index
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : ''
  const there = names.slice(0, maxListed).map((one) => `'${one}'`)
  throw new LabError(
    'input',
    'columns.unknown',
    `${file} has no column '${name}' to give a type: choose among ${there.join(', ')}${more}.`,
  )
}
