/** Wheel, drag, click and keys on a plot, as shares of its area. */
import type { Viewport } from './viewport'

/** Of a plot between its axes, in CSS pixels of the element. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A place in CSS pixels of the element. */
export interface Pixel {
  readonly x: number
  readonly y: number
}

/** What a drag does. */
export const plotTools = ['move', 'zoom', 'lasso'] as const
export type PlotTool = (typeof plotTools)[number]

export interface GestureHandlers {
  /** The tool that is chosen; Shift drags a box and Alt a lasso whatever it is. */
  tool(): PlotTool
  /** Shares of the width and height by which the view moves, right and up positive. */
  pan(shareX: number, shareY: number): void
  /** About a place in shares from the left and the bottom. */
  zoom(shareX: number, shareY: number, factor: number): void
  /** A box or lasso as it grows, in pixels of the element; null when it is over. */
  outline(tool: Exclude<PlotTool, 'move'>, path: readonly Pixel[] | null): void
  /** A box or lasso that is done. */
  enclose(tool: Exclude<PlotTool, 'move'>, path: readonly Pixel[]): void
  click(position: Pixel, add: boolean): void
  /** Null when the pointer left. */
  hover(position: Pixel | null): void
  reset(): void
  /** Whether a turn of the wheel is meant for the plot; absent: always. */
  wheels?(event: WheelEvent): boolean
  /** Answers whether the key meant something. */
  key(key: string): boolean
}

const wheelSpeed = 0.0015
/** Below this a press is a click. */
const dragPixels = 4

function pixelAt(event: MouseEvent, element: HTMLElement): Pixel {
  const box = element.getBoundingClientRect()
  return { x: event.clientX - box.left, y: event.clientY - box.top }
}

function shareAt(event: MouseEvent, element: HTMLElement, area: Area): readonly [number, number] {
  const { x, y } = pixelAt(event, element)
  const shares = [(x - area.left) / area.width, 1 - (y - area.top) / area.height] as const
  return [Math.min(1, Math.max(0, shares[0])), Math.min(1, Math.max(0, shares[1]))]
}

/** The part of a view that a box in pixels encloses. */
export function viewOfBox(view: Viewport, area: Area, path: readonly Pixel[]): Viewport {
  const xs = path.map(({ x }) => view.minX + ((x - area.left) / area.width) * (view.maxX - view.minX))
  const ys = path.map(({ y }) => view.maxY - ((y - area.top) / area.height) * (view.maxY - view.minY))
  return { minX: Math.min(...xs), maxX: Math.max(...xs), minY: Math.min(...ys), maxY: Math.max(...ys) }
}

interface Press {
  readonly tool: PlotTool
  readonly from: Pixel
  readonly path: Pixel[]
  moved: boolean
}

/** A press that becomes a click, a pan, a box or a lasso. */
function pressListener(element: HTMLElement, area: () => Area, handlers: GestureHandlers) {
  let press: Press | null = null
  const toolOf = (event: PointerEvent): PlotTool => {
    if (event.shiftKey && event.altKey) return handlers.tool()
    if (event.shiftKey) return 'zoom'
    return event.altKey ? 'lasso' : handlers.tool()
  }
  function draw(held: Press, position: Pixel): void {
    const last = held.path.at(-1) ?? held.from
    const { width, height } = area()
    if (held.tool === 'move') {
      handlers.pan((last.x - position.x) / width, (position.y - last.y) / height)
      held.path.splice(0, held.path.length, position)
      return
    }
    if (held.tool === 'lasso') held.path.push(position)
    else held.path.splice(1, 1, position)
    handlers.outline(held.tool, held.path)
  }
  return {
    pointerdown(event: PointerEvent) {
      if (event.button !== 0) return
      const from = pixelAt(event, element)
      press = { tool: toolOf(event), from, path: [from], moved: false }
      element.setPointerCapture(event.pointerId)
      handlers.hover(null)
    },
    pointermove(event: PointerEvent) {
      const position = pixelAt(event, element)
      if (!press) return handlers.hover(position)
      press.moved ||= Math.hypot(position.x - press.from.x, position.y - press.from.y) >= dragPixels
      if (!press.moved) return
      element.classList.add('dragging')
      draw(press, position)
    },
    pointerup(event: PointerEvent) {
      const held = press
      press = null
      if (!held) return
      if (!held.moved) handlers.click(held.from, event.shiftKey || event.ctrlKey || event.metaKey)
      else if (held.tool !== 'move' && held.path.length > 1) handlers.enclose(held.tool, held.path)
    },
    lostpointercapture() {
      press = null
      element.classList.remove('dragging')
      handlers.outline('lasso', null)
    },
    pointerleave() {
      if (!press) handlers.hover(null)
    },
  }
}

/** Starts listening; the answer stops it. */
export function listenToGestures(
  element: HTMLElement,
  area: () => Area,
  handlers: GestureHandlers,
): () => void {
  const stop = new AbortController()
  const { signal } = stop
  for (const [name, listener] of Object.entries(pressListener(element, area, handlers)))
    element.addEventListener(name, listener as EventListener, { signal })
  element.addEventListener('dblclick', () => handlers.reset(), { signal })
  element.addEventListener(
    'wheel',
    (event) => {
      if (handlers.wheels?.(event) === false) return
      event.preventDefault()
      const [x, y] = shareAt(event, element, area())
      handlers.zoom(x, y, Math.exp(Math.max(-400, Math.min(400, event.deltaY)) * wheelSpeed))
    },
    { signal, passive: false },
  )
  element.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (handlers.key(event.key)) event.preventDefault()
    },
    { signal },
  )
  return () => stop.abort()
}
