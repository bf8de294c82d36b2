/** The points of a scatter plot as one canvas that a worker draws; at most one frame is under way. */
import type { RasterView } from './raster'
import type { RasterAnswer, RasterRequest } from './raster-messages'

export class RasterLayer {
  private readonly worker: Worker
  private waiting: RasterView | null = null
  private painting = false

  constructor(
    canvas: HTMLCanvasElement,
    private readonly painted: (answer: RasterAnswer) => void,
  ) {
    this.worker = new Worker(new URL('./raster.worker.ts', import.meta.url), { type: 'module' })
    this.worker.addEventListener('message', ({ data }: MessageEvent<RasterAnswer>) => this.done(data))
    const offscreen = canvas.transferControlToOffscreen()
    this.send({ kind: 'canvas', canvas: offscreen }, [offscreen])
  }

  private send(request: RasterRequest, transfer: Transferable[] = []): void {
    this.worker.postMessage(request, transfer)
  }

  /** Positions relative to their offsets, (n) each. The worker gets copies; they forget the labels. */
  setPoints(x: Float32Array, y: Float32Array): void {
    const copies = { x: x.slice(), y: y.slice() }
    this.send({ kind: 'points', ...copies }, [copies.x.buffer, copies.y.buffer])
  }

  setLabels(labels: Int32Array | null): void {
    const copy = labels?.slice() ?? null
    this.send({ kind: 'labels', labels: copy }, copy ? [copy.buffer] : [])
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
