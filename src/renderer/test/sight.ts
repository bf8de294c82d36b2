/** What jsdom lacks of a page that is looked at: sizes, sight, the theme's media query, canvases that take bitmaps. */
import { vi } from 'vitest'

type Seen = Pick<IntersectionObserverEntry, 'target' | 'isIntersecting' | 'boundingClientRect'>

class Watcher {
  static readonly all = new Set<Watcher>()
  readonly watched = new Set<Element>()

  constructor(readonly callback: (entries: Seen[]) => void) {
    Watcher.all.add(this)
  }
  observe(element: Element): void {
    this.watched.add(element)
  }
  unobserve(element: Element): void {
    this.watched.delete(element)
  }
  disconnect(): void {
    Watcher.all.delete(this)
  }
}

/** Brings elements into sight or out of it. */
export function see(elements: readonly Element[], isIntersecting = true): void {
  for (const { watched, callback } of Watcher.all)
    for (const target of elements)
      if (watched.has(target))
        callback([{ target, isIntersecting, boundingClientRect: target.getBoundingClientRect() }])
}

/** Every element as wide as `width`; nothing is in sight until `see` says so. */
export function installSight(width: number): void {
  Watcher.all.clear()
  vi.stubGlobal('IntersectionObserver', Watcher)
  vi.stubGlobal('ResizeObserver', class extends Watcher {})
  vi.stubGlobal('matchMedia', () => ({ addEventListener() {}, removeEventListener() {} }))
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width)
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
}
