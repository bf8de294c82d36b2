/**
 * The points of a scatter plot as pictures that a worker draws; at most one is under way. It arrives with the view it is of, so that
 * whoever shows it can move the one before as the view moves meanwhile.
 */
import { isShared } from '@/shared-arrays'
import type { RasterView } from './raster'
import type { PickAnswer, RasterAnswer, RasterRequest } from './raster-messages'
import type { Polygon } from './scatter/lasso'
import type { PickPosition } from './scatter/picking'

type Picked = (rows: Uint32Array) => void

export class RasterLayer {
  private readonly worker: Worker
  private waiting: RasterView | null = null
  private frame = 0
  private painting: RasterView | null = null
  private readonly asked = new Map<number, Picked>()
  private lastId = 0
  private columnsSent = 0
  private labelsSent = 0

  constructor(private readonly painted: (answer: RasterAnswer, view: RasterView) => void) {
    this.worker = new Worker(new URL('./raster.worker.ts', import.meta.url), { type: 'module' })
    this.worker.addEventListener('message', ({ data }: MessageEvent<RasterAnswer | PickAnswer>) =>
      this.receive(data),
    )
    this.worker.addEventListener('error', () => this.recover())
  }

  private send(request: RasterRequest, transfer: Transferable[] = []): void {
    this.worker.postMessage(request, transfer)
  }

  private receive(answer: RasterAnswer | PickAnswer): void {
    if (answer.kind === 'painted') return this.done(answer)
    this.asked.get(answer.id)?.(answer.rows)
    this.asked.delete(answer.id)
  }

  /**
   * Positions relative to their offsets, (n) each. The worker sees shared arrays as they are; of others it gets copies, of very
   * many points in parts, so that no turn of the window is long. It forgets labels and selection.
   */
  setPoints(x: Float32Array, y: Float32Array, arrived: () => void): void {
    this.columnsSent++
    this.labelsSent++
    const mine = this.columnsSent
    if (isShared(x) && isShared(y)) {
      this.send({ kind: 'columns', x, y })
      return arrived()
    }
    this.send({ kind: 'reserve', n: x.length })
    void inParts(
      x.length,
      () => this.columnsSent === mine,
      (start, end) => {
        for (const [axis, column] of [
          ['x', x],
          ['y', y],
        ] as const) {
          const values = column.slice(start, end)
          this.send({ kind: 'part', axis, start, values }, [values.buffer])
        }
        arrived()
      },
    )
  }

  setLabels(all: Int32Array | null, arrived: () => void): void {
    this.labelsSent++
    const mine = this.labelsSent
    if (!all) return this.send({ kind: 'no-labels' })
    if (isShared(all)) {
      this.send({ kind: 'labels', start: 0, labels: all })
      return arrived()
    }
    void inParts(
      all.length,
      () => this.labelsSent === mine,
      (start, end) => {
        const labels = all.slice(start, end)
        this.send({ kind: 'labels', start, labels }, [labels.buffer])
        arrived()
      },
    )
  }

  setSelected(rows: Uint32Array | null): void {
    const copy = rows?.slice() ?? null
    this.send({ kind: 'selected', rows: copy }, copy ? [copy.buffer] : [])
  }

  /** The row nearest to a place. */
  async pick(position: PickPosition): Promise<number | null> {
    const [row = null] = await this.ask((id) => ({ kind: 'pick', id, position }))
    return row
  }

  /** The rows inside a polygon, ascending. */
  lasso(polygon: Polygon): Promise<Uint32Array> {
    return this.ask((id) => ({ kind: 'lasso', id, polygon }))
  }

  private ask(request: (id: number) => RasterRequest): Promise<Uint32Array> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.asked.set(id, resolve)
      this.send(request(id))
    })
  }

  /** A request that failed, for want of memory say, holds up none of the others. */
  private recover(): void {
    this.painting = null
    for (const answer of this.asked.values()) answer(new Uint32Array())
    this.asked.clear()
  }

  /** Draws a view; while a frame is under way only the newest request is kept. */
  paint(view: RasterView): void {
    if (this.painting) {
      this.waiting = view
      return
    }
    this.painting = view
    this.send({ kind: 'paint', view, frame: ++this.frame })
  }

  private done(answer: RasterAnswer): void {
    const view = this.painting
    // A frame from before a failure belongs to no view any more.
    if (view === null || answer.frame !== this.frame) return answer.picture.close()
    this.painting = null
    const next = this.waiting
    this.waiting = null
    this.painted(answer, view)
    if (next) this.paint(next)
  }

  dispose(): void {
    this.columnsSent++
    this.labelsSent++
    this.recover()
    this.worker.terminate()
  }
}

/** Values copied in one turn of the window: a millisecond or two. */
const valuesAtOnce = 1 << 20

/** Hands out ranges of 0..n, the first at once and one a turn after that, as long as they are wanted. */
async function inParts(
  n: number,
  wanted: () => boolean,
  take: (start: number, end: number) => void,
): Promise<void> {
  for (let start = 0; start < n && wanted(); start += valuesAtOnce) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve))
    if (wanted()) take(start, Math.min(n, start + valuesAtOnce))
  }
}
