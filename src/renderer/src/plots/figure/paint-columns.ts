/** The columns that the painting worker holds, filled piece by piece so that no message is large. */
import { paintView } from '../raster'
import type { PaintRequest, Picture } from './paint-messages'

type Filling = Extract<PaintRequest, { kind: 'reserve' | 'part' | 'drop' }>

/** (n) flags by row; null when none is picked out. */
function flagsOf(rows: Uint32Array | null, n: number): Uint8Array | null {
  if (rows === null) return null
  const flags = new Uint8Array(n)
  for (const row of rows) flags[row] = 1
  return flags
}

export class PaintColumns {
  private readonly floats = new Map<string, Float32Array>()
  private readonly ints = new Map<string, Int32Array>()

  take(request: Filling): void {
    if (request.kind === 'drop') return this.drop(request.keys)
    if (request.kind === 'part') return this.fill(request)
    const { key, type, length } = request
    if (type === 'float') this.floats.set(key, new Float32Array(length))
    else this.ints.set(key, new Int32Array(length))
  }

  private fill({ key, start, values }: Extract<Filling, { kind: 'part' }>): void {
    // A column that was dropped while it was filled is no longer there.
    const column = this.floats.get(key) ?? this.ints.get(key)
    column?.set(values, start)
  }

  private drop(keys: readonly string[]): void {
    for (const key of keys) {
      this.floats.delete(key)
      this.ints.delete(key)
    }
  }

  /** Draws a picture into (height, width) ImageData words; answers the points in view. Throws when a column is not there. */
  paint(pixels: Uint32Array, { x, y, labels, selected, view }: Picture): number {
    const [xs, ys] = [this.floats.get(x), this.floats.get(y)]
    const own = labels === null ? null : this.ints.get(labels)
    if (!xs || !ys || own === undefined) throw new Error(`no column ${[x, y, labels].join(', ')}`)
    return paintView(
      pixels,
      { x: xs, y: ys, labels: own, selected: flagsOf(selected ?? null, xs.length) },
      view,
    ).drawn
  }
}
