/** The columns that the painter holds for the panels in sight; the longest unused are given up first. */
import type { PaintWorker } from '../figure/paint-worker'
import type { PanelColumn } from './panel'

const mostBytes = 192 * 2 ** 20
/** Columns of the panel that is painted now: never given up, however large. */
const inUse = 3
const bytesOfValue = 4

interface Held {
  readonly bytes: number
  readonly scale: Scale
}

export interface Scale {
  readonly offset: number
  readonly unit: number
}

export class ColumnShelf {
  private readonly held = new Map<string, Held>()
  private bytes = 0

  constructor(
    private readonly painter: PaintWorker,
    private readonly budget = mostBytes,
  ) {}

  /** Brings a column to the painter unless it is there; null when it is no longer wanted. */
  async hold<A extends Float32Array | Int32Array>(
    column: PanelColumn<A>,
    wanted: () => boolean,
  ): Promise<Scale | null> {
    const known = this.held.get(column.key)
    if (known) {
      this.held.delete(column.key)
      this.held.set(column.key, known)
      return known.scale
    }
    const loaded = await column.load(wanted)
    if (!loaded) return null
    const { values, offset, unit } = loaded
    await this.painter.put(column.key, values)
    const scale = { offset, unit }
    this.held.set(column.key, { bytes: values.length * bytesOfValue, scale })
    this.bytes += values.length * bytesOfValue
    this.giveUp()
    return scale
  }

  private giveUp(): void {
    for (const [key, { bytes }] of this.held) {
      if (this.bytes <= this.budget || this.held.size <= inUse) return
      this.held.delete(key)
      this.bytes -= bytes
      this.painter.drop([key])
    }
  }

  clear(): void {
    this.painter.drop([...this.held.keys()])
    this.held.clear()
    this.bytes = 0
  }
}
