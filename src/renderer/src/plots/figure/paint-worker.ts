/** The window's end of the painting worker. The worker starts with the first request. */
import { LabError } from '@shared/errors'
import type { Figure } from './figure'
import type { PaintAnswer, PaintRequest, PaintResults, Picture } from './paint-messages'
import { t } from '@/i18n'

type Asking<K extends keyof PaintResults> = Extract<PaintRequest, { kind: K }>

/** Values copied at one go: some milliseconds. */
const valuesAtOnce = 1 << 20

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (thrown: LabError) => void
}

const unpainted = (reason: string): LabError =>
  new LabError('internal', 'plot.unpainted', t('plots.thePictureOfThePlotCould'), reason)

const stopped = 'the worker was stopped'
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export class PaintWorker {
  private worker: Worker | null = null
  private readonly waiting = new Map<number, Waiting>()
  private asked = 0
  private disposed = false

  private send(request: PaintRequest, transfer: Transferable[] = []): void {
    // Work that outlasts its view must not start a worker that nobody ends.
    if (this.disposed) return
    this.worker ??= this.start()
    this.worker.postMessage(request, transfer)
  }

  private start(): Worker {
    const worker = new Worker(new URL('./paint.worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<PaintAnswer>) => this.resolveRequest(data))
    worker.addEventListener('error', ({ message }) => this.failAll(message))
    return worker
  }

  private resolveRequest(answer: PaintAnswer): void {
    const waiting = this.waiting.get(answer.id)
    this.waiting.delete(answer.id)
    if (answer.ok) waiting?.resolve(answer.value as never)
    else waiting?.reject(unpainted(answer.reason))
  }

  private failAll(reason: string): void {
    for (const { reject } of this.waiting.values()) reject(unpainted(reason))
    this.waiting.clear()
  }

  private ask<K extends keyof PaintResults>(request: (id: number) => Asking<K>): Promise<PaintResults[K]> {
    const id = ++this.asked
    if (this.disposed) return Promise.reject(unpainted(stopped))
    return new Promise<PaintResults[K]>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.send(request(id))
    })
  }

  /** Makes room for a column that comes in pieces by `part`; until then it is zero. */
  reserve(key: string, type: 'float' | 'int', length: number): void {
    this.send({ kind: 'reserve', key, type, length })
  }

  /** The worker gets a copy of a piece. */
  part(key: string, start: number, values: Float32Array | Int32Array): void {
    const copy = values.slice()
    this.send({ kind: 'part', key, start, values: copy }, [copy.buffer])
  }

  /** Copies a whole column, in slices so that a long one does not hold the window up. */
  async put(key: string, values: Float32Array | Int32Array): Promise<void> {
    this.reserve(key, values instanceof Float32Array ? 'float' : 'int', values.length)
    for (let start = 0; start < values.length; start += valuesAtOnce) {
      if (start > 0) await nextTurn()
      if (this.disposed) return
      this.part(key, start, values.subarray(start, start + valuesAtOnce))
    }
  }

  drop(keys: readonly string[]): void {
    if (this.worker) this.send({ kind: 'drop', keys })
  }

  bitmap(picture: Picture): Promise<ImageBitmap> {
    return this.ask<'bitmap'>((id) => ({ kind: 'bitmap', id, picture }))
  }

  /** A PNG as a `data:` address. */
  href(picture: Picture): Promise<string> {
    return this.ask<'href'>((id) => ({ kind: 'href', id, picture }))
  }

  /** The bytes of an SVG file. @param scale enlarges the size it asks for */
  svg(figure: Figure, scale = 1): Promise<Uint8Array<ArrayBuffer>> {
    return this.ask<'svg'>((id) => ({ kind: 'svg', id, figure, scale, flat: false }))
  }

  /** The same to be drawn `scale` times as large at once: what would take a browser long is drawn already. */
  flatSvg(figure: Figure, scale: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.ask<'svg'>((id) => ({ kind: 'svg', id, figure, scale, flat: true }))
  }

  /** For good: what is asked for later is refused. */
  dispose(): void {
    this.disposed = true
    this.worker?.terminate()
    this.worker = null
    this.failAll(stopped)
  }
}

let shared: PaintWorker | null = null

/** The one that makes files; it lives as long as the window. */
export function filePainter(): PaintWorker {
  shared ??= new PaintWorker()
  return shared
}
