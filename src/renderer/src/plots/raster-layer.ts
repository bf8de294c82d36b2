/** The points of a scatter plot as one canvas that a worker draws; at most one frame is under way. */
import type { RasterView } from './raster'
import type { PickAnswer, RasterAnswer, RasterRequest } from './raster-messages'
import type { PickPlace, Polygon } from './scatter/picking'

type Picked = (rows: Uint32Array) => void

export class RasterLayer {
  private readonly worker: Worker
  private waiting: RasterView | null = null
  private painting = false
  private readonly asked = new Map<number, Picked>()
  private lastId = 0

  constructor(
    canvas: HTMLCanvasElement,
    private readonly painted: (answer: RasterAnswer) => void,
  ) {
    this.worker = new Worker(new URL('./raster.worker.ts', import.meta.url), { type: 'module' })
    this.worker.addEventListener('message', ({ data }: MessageEvent<RasterAnswer | PickAnswer>) =>
      this.receive(data),
    )
    const offscreen = canvas.transferControlToOffscreen()
    this.send({ kind: 'canvas', canvas: offscreen }, [offscreen])
  }

  private send(request: RasterRequest, transfer: Transferable[] = []): void {
    this.worker.postMessage(request, transfer)
  }

  private receive(answer: RasterAnswer | PickAnswer): void {
    if (answer.kind === 'painted') return this.done(answer)
    this.asked.get(answer.id)?.(answer.rows)
    this.asked.delete(answer.id)
  }

  /** Positions relative to their offsets, (n) each. The worker gets copies; they forget labels and selection. */
  setPoints(x: Float32Array, y: Float32Array): void {
    const copies = { x: x.slice(), y: y.slice() }
    this.send({ kind: 'points', ...copies }, [copies.x.buffer, copies.y.buffer])
  }

  setLabels(labels: Int32Array | null): void {
    const copy = labels?.slice() ?? null
    this.send({ kind: 'labels', labels: copy }, copy ? [copy.buffer] : [])
  }

  setSelected(rows: Uint32Array | null): void {
    const copy = rows?.slice() ?? null
    this.send({ kind: 'selected', rows: copy }, copy ? [copy.buffer] : [])
  }

  /** The row nearest to a place. */
  async pick(place: PickPlace): Promise<number | null> {
    const [row = null] = await this.ask((id) => ({ kind: 'pick', id, place }))
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

  /** Draws a view; while a frame is under way only the newest request is kept. */
  paint(view: RasterView): void {
    if (this.painting) {
      this.waiting = view
      return
    }
    this.painting = true
    this.send({ kind: 'paint', view })
  }

  private done(answer: RasterAnswer): void {
    this.painting = false
    const next = this.waiting
    this.waiting = null
    this.painted(answer)
    if (next) this.paint(next)
  }

  dispose(): void {
    this.worker.terminate()
  }
}
