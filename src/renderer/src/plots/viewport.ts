/** What part of the data a plot shows, in units of the file, and how wheel, drag and keys change it. */
export interface Viewport {
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
}

const padding = 0.04
/** Below this share of the numbers themselves, float64 ticks would no longer differ. */
const finestShare = 1e-12

function padded(min: number, max: number): readonly [number, number] {
  const span = max - min
  const room = span > 0 ? span * padding : Math.max(1, Math.abs(min) * padding)
  return [min - room, max + room]
}

interface Range {
  readonly min: number
  readonly max: number
}

/** The whole of two columns with a little room around it. */
export function wholeView(x: Range, y: Range): Viewport {
  const [minX, maxX] = padded(x.min, x.max)
  const [minY, maxY] = padded(y.min, y.max)
  return { minX, maxX, minY, maxY }
}

/**
 * Zooms about a point of the plot, given as shares 0..1 from the left and from the bottom; factor < 1 goes nearer.
 * A zoom that would leave nothing to tell apart answers the view unchanged.
 */
export function zoomAt(view: Viewport, shareX: number, shareY: number, factor: number): Viewport {
  const x = view.minX + shareX * (view.maxX - view.minX)
  const y = view.minY + shareY * (view.maxY - view.minY)
  const next = {
    minX: x - (x - view.minX) * factor,
    maxX: x + (view.maxX - x) * factor,
    minY: y - (y - view.minY) * factor,
    maxY: y + (view.maxY - y) * factor,
  }
  const tooFine = (min: number, max: number): boolean =>
    max - min <= finestShare * Math.max(Math.abs(min), Math.abs(max)) || !Number.isFinite(max - min)
  return tooFine(next.minX, next.maxX) || tooFine(next.minY, next.maxY) ? view : next
}

/** Moves the view by shares of its own width and height; positive shows what lies further right and up. */
export function panBy(view: Viewport, shareX: number, shareY: number): Viewport {
  const dx = shareX * (view.maxX - view.minX)
  const dy = shareY * (view.maxY - view.minY)
  return { minX: view.minX + dx, maxX: view.maxX + dx, minY: view.minY + dy, maxY: view.maxY + dy }
}

/** What a key does to a view; null for keys that mean nothing here, 'whole' for the reset. */
export function viewAfterKey(view: Viewport, key: string): Viewport | 'whole' | null {
  const step = 0.1
  switch (key) {
    case 'ArrowLeft':
      return panBy(view, -step, 0)
    case 'ArrowRight':
      return panBy(view, step, 0)
    case 'ArrowUp':
      return panBy(view, 0, step)
    case 'ArrowDown':
      return panBy(view, 0, -step)
    case '+':
    case '=':
      return zoomAt(view, 0.5, 0.5, 0.8)
    case '-':
      return zoomAt(view, 0.5, 0.5, 1.25)
    case '0':
    case 'Home':
      return 'whole'
    default:
      return null
  }
}
