import { loadCpuAddon } from '../engines/native'
import type { ProcessGroupHandle } from '../engines/engine'
import type { NativeColumn, NativeColumns } from '../engines/native-addon/columns'

/** Values below which handing the work over takes longer than the work. */
const valuesForAddon = 20_000

/** Values by position, which the CPU addon may be able to read itself. */
export interface Readable {
  readonly length: number
  /** Of processes that hold the other values. */
  readonly group?: ProcessGroupHandle | undefined
  native?(): NativeColumn | null
}

export interface OnAddon {
  readonly addon: NativeColumns
  readonly columns: readonly NativeColumn[]
}

/** What the addon does with so many values; null where it is not there, or there is little to do. */
export function columnsAddon(values: number, group?: ProcessGroupHandle): NativeColumns | null {
  // Processes that hold the rows together must all do the same.
  if (values < valuesForAddon && group === undefined) return null
  const { addon } = loadCpuAddon()
  return addon !== null && hasColumns(addon) ? addon : null
}

/** Columns that the CPU addon works on; null where it does not, or one of them is computed. */
export function onAddon(columns: readonly Readable[]): OnAddon | null {
  const group = columns.at(0)?.group
  const addon = columnsAddon((columns.at(0)?.length ?? 0) * columns.length, group)
  if (addon === null) return null
  const native: NativeColumn[] = []
  for (const column of columns) {
    const own = column.native?.() ?? null
    if (own === null && group !== undefined) throw new TypeError()
    if (own === null) return null
    native.push(own)
  }
  return { addon, columns: native }
}

/** Addons built before they were there lack them. */
function hasColumns(addon: Partial<NativeColumns>): addon is NativeColumns {
  return addon.rowsBetween !== undefined
}
