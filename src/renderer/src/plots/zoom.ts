/** Wheel, drag and keys on a plot of lines or bars: the part of it that is shown, in shares of the whole. */
import { listenToGestures, viewOfBox, type Area, type Pixel } from './gestures'
import { panBy, viewAfterKey, zoomAt, type Viewport } from './viewport'
import { t } from '@/i18n'

/** Along which axes a plot is zoomed: bars along the one that their values lie on. */
export type ZoomAxes = 'x' | 'xy'

export const wholePlot: Viewport = { minX: 0, maxX: 1, minY: 0, maxY: 1 }

/** Nearer than this nothing new is to be seen. */
const minSpan = 1e-4

/** What a reader is told of it. */
export const zoomWords = (): string => t('plots.plusAndMinusZoom0Shows')

export const isWhole = ({ minX, maxX, minY, maxY }: Viewport): boolean =>
  minX <= 0 && maxX >= 1 && minY <= 0 && maxY >= 1

function inside(min: number, max: number): readonly [number, number] {
  const span = Math.min(1, max - min)
  const from = Math.min(Math.max(0, min), 1 - span)
  return [from, from + span]
}

/** A view that leaves the whole is moved back into it; of the other axis everything is shown. */
export function within(view: Viewport, axes: ZoomAxes): Viewport {
  const [minX, maxX] = inside(view.minX, view.maxX)
  const [minY, maxY] = axes === 'x' ? [0, 1] : inside(view.minY, view.maxY)
  return { minX, maxX, minY, maxY }
}

export interface ZoomHandlers {
  axes(): ZoomAxes
  /** What is shown now. */
  view(): Viewport
  show(view: Viewport): void
  /** A box as it is dragged, in pixels of the element; null when it is over. */
  outline(box: readonly Pixel[] | null): void
  /** Whether a turn of the wheel is meant for the plot, and not for the page that it lies on. */
  wheels?(event: WheelEvent): boolean
  click?(position: Pixel): void
}

/** Along the axis alone, a box is as high as the plot. */
function boxOf(axes: ZoomAxes, { top, height }: Area, path: readonly Pixel[]): readonly Pixel[] {
  const [from, to] = [path[0], path.at(-1)]
  if (!from || !to || axes === 'xy') return path
  return [
    { x: from.x, y: top },
    { x: to.x, y: top + height },
  ]
}

/** Starts listening; the answer stops it. */
export function listenToZoom(element: HTMLElement, area: () => Area, handlers: ZoomHandlers): () => void {
  const show = (view: Viewport): void => {
    const next = within(view, handlers.axes())
    if (Math.min(next.maxX - next.minX, next.maxY - next.minY) >= minSpan) handlers.show(next)
  }
  return listenToGestures(element, area, {
    tool: () => 'zoom',
    pan: (shareX, shareY) => show(panBy(handlers.view(), shareX, shareY)),
    zoom: (shareX, shareY, factor) => show(zoomAt(handlers.view(), shareX, shareY, factor)),
    outline: (_, path) => handlers.outline(path && boxOf(handlers.axes(), area(), path)),
    enclose: (_, path) => {
      handlers.outline(null)
      show(viewOfBox(handlers.view(), area(), boxOf(handlers.axes(), area(), path)))
    },
    click: (position) => handlers.click?.(position),
    hover: () => undefined,
    reset: () => handlers.show(wholePlot),
    wheels: (event) => handlers.wheels?.(event) ?? true,
    key: (key) => {
      // Arrows belong to what the plot does with them.
      if (!['+', '=', '-', '0'].includes(key)) return false
      const next = viewAfterKey(handlers.view(), key)
      if (next === 'whole') handlers.show(wholePlot)
      else if (next) show(next)
      return true
    },
  })
}
