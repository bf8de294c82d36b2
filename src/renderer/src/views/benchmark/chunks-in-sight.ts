/** Which parts of a long table are drawn: those in sight and near it. The others keep their place by a height. */
import { nextTick, onBeforeUnmount, onMounted, shallowReactive, watch, type Ref, type WatchSource } from 'vue'

/** Drawn ahead of scrolling. */
const margin = '480px 0px'
/** Drawn in one frame; the others follow in the next. */
const mostAtOnce = 1
/** Drawn before anybody has looked where the table stands. */
const first = [0, 1, 2, 3]

/** @param chunks changes when parts come and go; each carries its number in `data-chunk` */
export function useChunksInSight(table: Readonly<Ref<HTMLElement | null>>, chunks: WatchSource) {
  /** Each part asks for itself alone, so that the others are not drawn anew. */
  const drawn = shallowReactive(new Set(first))
  /** Pixels of those that were drawn once. */
  const heights = new Map<number, number>()
  const near = new Set<number>()
  let observer: IntersectionObserver | null = null
  let frame = 0

  function look(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const chunk = Number(target.getAttribute('data-chunk'))
      if (isIntersecting) near.add(chunk)
      else near.delete(chunk)
      if (!isIntersecting && drawn.has(chunk)) heights.set(chunk, boundingClientRect.height)
    }
    if (frame === 0) draw()
  }

  function draw(): void {
    for (const chunk of drawn) if (!near.has(chunk)) drawn.delete(chunk)
    const come = [...near].filter((chunk) => !drawn.has(chunk))
    for (const chunk of come.slice(0, mostAtOnce)) drawn.add(chunk)
    frame = come.length > mostAtOnce ? requestAnimationFrame(again) : 0
  }

  function again(): void {
    frame = 0
    draw()
  }

  function observeAll(): void {
    observer?.disconnect()
    const root = table.value?.closest('[data-scrolls]') ?? null
    observer = new IntersectionObserver(look, { root, rootMargin: margin })
    near.clear()
    for (const part of table.value?.querySelectorAll('[data-chunk]') ?? []) observer?.observe(part)
  }

  onMounted(observeAll)
  watch(chunks, () => {
    heights.clear()
    drawn.clear()
    for (const chunk of first) drawn.add(chunk)
    void nextTick(observeAll)
  })
  onBeforeUnmount(() => {
    cancelAnimationFrame(frame)
    observer?.disconnect()
  })
  return { drawn, heights }
}
