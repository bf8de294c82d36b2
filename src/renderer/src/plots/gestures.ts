/** Wheel, drag, double click and keys on a plot, as shares of its area. */
interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface GestureHandlers {
  /** Shares of the width and height by which the view moves, right and up positive. */
  pan(shareX: number, shareY: number): void
  /** About a place in shares from the left and the bottom. */
  zoom(shareX: number, shareY: number, factor: number): void
  reset(): void
  /** Answers whether the key meant something. */
  key(key: string): boolean
}

const wheelSpeed = 0.0015

function shareAt(event: MouseEvent, element: HTMLElement, area: Area): readonly [number, number] {
  const box = element.getBoundingClientRect()
  const x = (event.clientX - box.left - area.left) / area.width
  const y = 1 - (event.clientY - box.top - area.top) / area.height
  return [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))]
}

function dragListener(element: HTMLElement, area: () => Area, pan: GestureHandlers['pan']) {
  let last: PointerEvent | null = null
  return {
    pointerdown(event: PointerEvent) {
      if (event.button !== 0) return
      last = event
      element.setPointerCapture(event.pointerId)
      element.classList.add('dragging')
    },
    pointermove(event: PointerEvent) {
      if (!last) return
      const { width, height } = area()
      pan((last.clientX - event.clientX) / width, (event.clientY - last.clientY) / height)
      last = event
    },
    lostpointercapture() {
      last = null
      element.classList.remove('dragging')
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
  const drag = dragListener(element, area, handlers.pan)
  element.addEventListener('pointerdown', drag.pointerdown, { signal })
  element.addEventListener('pointermove', drag.pointermove, { signal })
  element.addEventListener('lostpointercapture', drag.lostpointercapture, { signal })
  element.addEventListener('dblclick', () => handlers.reset(), { signal })
  element.addEventListener(
    'wheel',
    (event) => {
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
