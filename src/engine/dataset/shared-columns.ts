import type { ProcessGroupHandle } from '../engines/engine'

let group: ProcessGroupHandle | null = null

/** From now on every column is that of one process, of a dataset that several hold: figures are made over all of them. */
export function shareColumns(processes: ProcessGroupHandle): void {
  group = processes
}

/** Null where columns have all rows. */
export function sharedColumns(): ProcessGroupHandle | null {
  return group
}
