import { randomUUID } from 'node:crypto'
import type { Dataset } from '@engine/dataset/dataset'
import { ClusteredRows, type Silhouettes } from '@engine/table/clustered-rows'
import { RowTable } from '@engine/table/row-table'
import type { RunResult } from '@engine/run/types'
import { cancelled, LabError } from '@shared/errors'
import type { TableChoice, TableFacts } from '@shared/table'
import { Newest } from './newest'
import type { HostStore } from './store'

/** Of one dataset: the one on screen, and the one that takes its place. */
const maxTables = 2

interface OpenTable {
  readonly datasetId: string
  readonly runId: string | null
  readonly dataset: Dataset
  readonly table: RowTable
}

/** Silhouettes of a run by point, where they are known. */
export type FindSilhouettes = (result: RunResult) => Silhouettes

/** The tables that the window looks at, by id. */
export class Tables {
  readonly #store: HostStore
  readonly #silhouettes: FindSilhouettes
  readonly #newest = new Newest()
  /** The newest at the end. */
  readonly #tables = new Map<string, OpenTable>()

  constructor(store: HostStore, silhouettes: FindSilhouettes) {
    this.#store = store
    this.#silhouettes = silhouettes
    store.runs.onForget((runId) => this.#drop((one) => one.runId === runId))
  }

  /** @throws LabError `dataset.unknown`, `run.unknown`, those of `RowTable` */
  async open(choice: TableChoice): Promise<TableFacts> {
    const { datasetId } = choice
    const closed = this.#store.untilClosed(datasetId)
    return this.#newest.run(datasetId, closed, async (signal) => {
      const { table, dataset, hasSilhouette } = await this.#make(choice, signal)
      if (signal.aborted) throw cancelled()
      const tableId = randomUUID()
      this.#tables.set(tableId, { datasetId, runId: choice.runId, dataset, table })
      closed.addEventListener('abort', () => this.close(tableId), { once: true })
      const others = [...this.#tables].filter(([, one]) => one.datasetId === datasetId)
      for (const [older] of others.slice(0, -maxTables)) this.close(older)
      return { tableId, rows: table.length, hasSilhouette }
    })
  }

  /** @throws LabError `table.unknown` */
  of(tableId: string): OpenTable & { readonly closed: AbortSignal } {
    const found = this.#tables.get(tableId)
    if (found !== undefined) return { ...found, closed: this.#store.untilClosed(found.datasetId) }
    throw new LabError('input', 'table.unknown', 'This table is no longer open: show it again.')
  }

  close(tableId: string): void {
    this.#tables.delete(tableId)
  }

  async #make({ datasetId, runId, sort, filter }: TableChoice, signal: AbortSignal) {
    const dataset = this.#store.dataset(datasetId)
    const result = runId === null ? null : await this.#store.runs.result(runId)
    if (result !== null && result.dataset !== dataset) {
      throw new LabError(
        'input',
        'table.other-data',
        'This result was made on another file: choose one of this file.',
      )
    }
    const clustered = result === null ? null : new ClusteredRows(result, this.#silhouettes(result))
    const parts = { dataset, clustered, cells: this.#store.cellsOf(datasetId) }
    const table = await RowTable.make(parts, { sort, filter }, signal)
    return { table, dataset, hasSilhouette: clustered?.hasSilhouette ?? false }
  }

  #drop(isMeant: (one: OpenTable) => boolean): void {
    for (const [tableId, one] of [...this.#tables]) if (isMeant(one)) this.close(tableId)
  }
}
