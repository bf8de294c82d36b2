/** Stands in for the painting worker and for the canvas, which jsdom has neither of. */
import { vi } from 'vitest'
import type { PaintRequest, Picture } from '@/plots/figure/paint-messages'
import { PaintColumns } from '@/plots/figure/paint-columns'
import { svgOf } from '@/plots/figure/svg'

export interface Painted {
  readonly picture: Picture
  /** (height, width) ImageData words. */
  readonly pixels: Uint32Array
  readonly drawn: number
}

/** Every picture that was asked for, newest last; emptied by `installFakePainter`. */
export const painted: Painted[] = []

class FakePainter extends EventTarget {
  private readonly columns = new PaintColumns()

  postMessage(request: PaintRequest): void {
    if (!('id' in request)) return this.columns.take(structuredClone(request))
    const { id } = request
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: this.answer(id, request) })))
  }

  private answer(id: number, request: Extract<PaintRequest, { id: number }>) {
    try {
      if (request.kind === 'svg')
        return {
          id,
          ok: true,
          value: new TextEncoder().encode(svgOf(structuredClone(request.figure), request.scale)),
        }
      this.paint(request.picture)
      const value =
        request.kind === 'href' ? 'data:image/png;base64,AAAA' : { width: 1, height: 1, close() {} }
      return { id, ok: true, value }
    } catch (thrown) {
      return { id, ok: false, reason: String(thrown) }
    }
  }

  private paint(picture: Picture): void {
    const pixels = new Uint32Array(picture.view.width * picture.view.height)
    const drawn = this.columns.paint(pixels, picture)
    painted.push({ picture, pixels, drawn })
  }

  terminate(): void {}
}

/** What a drawn canvas is compressed to. */
/** As long as the header of one. */
export const fakePng = Uint8Array.from({ length: 33 }, (_, at) => [137, 80, 78, 71][at] ?? 0)

class FakeCanvas {
  static readonly sizes: (readonly [number, number])[] = []
  constructor(width: number, height: number) {
    FakeCanvas.sizes.push([width, height])
  }
  getContext() {
    return { drawImage() {}, measureText: (text: string) => ({ width: 7.5 * text.length }) }
  }
  convertToBlob() {
    return Promise.resolve({ arrayBuffer: () => Promise.resolve(fakePng.buffer) })
  }
}

/** Width and height of every canvas that was compressed. */
export const canvasSizes = FakeCanvas.sizes

export function installFakePainter(): void {
  painted.length = 0
  canvasSizes.length = 0
  vi.stubGlobal('Worker', FakePainter)
  vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  URL.createObjectURL = () => 'blob:plot'
  URL.revokeObjectURL = () => undefined
  HTMLImageElement.prototype.decode = () => Promise.resolve()
}
