import { loadCpuAddon } from '../engines/native'
import type { NativeColumn, NativeColumns } from '../engines/native-addon/columns'
import { sharedColumns } from './shared-columns'

/** Values below which handing the work over takes longer than the work. */
const valuesForAddon = 20_000

/** Values by position, which the CPU addon may be able to read itself. */
export interface Readable {
  readonly length: number
  native?(): NativeColumn | null
}

export interface OnAddon {
  readonly addon: NativeColumns
  readonly columns: readonly NativeColumn[]
}

/** What the addon does with so many values; null where it is not there, or there is little to do. */
export function columnsAddon(values: number): NativeColumns | null {
  // Processes that hold the rows together must all do the same.
  if (values < valuesForAddon && sharedColumns() === null) return null
  const { addon } = loadCpuAddon()
  return addon !== null && hasColumns(addon) ? addon : null
}

/** Columns that the CPU addon works on; null where it does not, or one of them is computed. */
export function onAddon(columns: readonly Readable[]): OnAddon | null {
  const addon = columnsAddon((columns.at(0)?.length ?? 0) * columns.length)
  if (addon === null) return null
  const native: NativeColumn[] = []
  for (const column of columns) {
    const own = column.native?.() ?? null
    if (own === null && sharedColumns() !== null) throw new TypeError()
    if (own === null) return null
    native.push(own)
  }
  return { addon, columns: native }
}

/** Addons built before they were there lack them. */
function hasColumns(addon: Partial<NativeColumns>): addon is NativeColumns {
  return addon.fillPoints !== undefined && addon.fillOnSphere !== undefined
}
