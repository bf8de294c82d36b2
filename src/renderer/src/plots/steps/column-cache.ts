/** The columns that the painter holds for the panels in sight; the longest unused are given up first. */
import { ByteCache } from '@shared/byte-cache'
import type { PaintWorker } from '../figure/paint-worker'
import type { PanelColumn } from './panel'

const maxBytes = 192 * 2 ** 20
/** Columns of the panel that is painted now: never given up, however large. */
const inUse = 3

export interface Scale {
  readonly offset: number
  readonly unit: number
}

export class ColumnCache {
  private readonly held: ByteCache<Scale>

  constructor(
    private readonly painter: PaintWorker,
    bytes = maxBytes,
  ) {
    this.held = new ByteCache({ bytes, inUse, giveUp: (key) => painter.drop([key]) })
  }

  /** Brings a column to the painter unless it is there; null when it is no longer wanted. */
  async hold<A extends Float32Array | Int32Array>(
    column: PanelColumn<A>,
    wanted: () => boolean,
  ): Promise<Scale | null> {
    const known = this.held.get(column.key)
    if (known) return known
    const loaded = await column.load(wanted)
    // What was fetched meanwhile for a panel that is gone is not copied.
    if (!loaded || !wanted()) return null
    const { values, offset, unit } = loaded
    await this.painter.put(column.key, values)
    const scale = { offset, unit }
    this.held.set(column.key, scale, values.byteLength)
    return scale
  }

  clear(): void {
    this.painter.drop(this.held.keys())
    this.held.clear()
  }
}
