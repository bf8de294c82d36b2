/**
 * Which parts of a long table are drawn: those in sight and near it. Two gaps, above and below, keep the place of the others.
 * Not by TanStack Virtual as other tables are (virtual-parts.ts): it draws all that is in sight in one frame, which takes too
 * long here (docs/dependencies.md).
 */
import {
  computed,
  nextTick,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  watch,
  type ComputedRef,
  type Ref,
} from 'vue'

/** A part before it was drawn. */
interface Chunk {
  /** Pixels, about. */
  readonly height: number
}

/** Parts from the first to before the last. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Pixels drawn ahead of scrolling. */
const margin = 480
/** Pixels drawn before anybody has looked where the table stands: a short table as a whole, of a long one nothing yet. */
const shortPixels = 560
const longPixels = 2400

/** Pixels from the beginning of the parts to each, and to their end. */
function offsetsOf(chunks: readonly Chunk[], heights: ReadonlyMap<number, number>): Float64Array {
  const tops = new Float64Array(chunks.length + 1)
  for (const [at, { height }] of chunks.entries())
    tops[at + 1] = (tops[at] ?? 0) + (heights.get(at) ?? height)
  return tops
}

/** The part at so many pixels. */
function partAt(tops: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((tops[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** One part more towards what is wanted, from where the sight begins; what is not wanted goes at once. */
function nextSpan(drawn: Span, wanted: Span, sight: number): Span {
  const [from, to] = [Math.max(drawn.from, wanted.from), Math.min(drawn.to, wanted.to)]
  if (from >= to || sight < from - 1 || sight > to) return { from: sight, to: sight + 1 }
  if (to < wanted.to) return { from, to: to + 1 }
  return { from: Math.max(wanted.from, from - 1), to }
}

/**
 * Draws one part a frame, so that none takes long.
 * @param table stands in what scrolls (`data-scrolls`); its drawn parts carry their number in `data-chunk`, and the first of its
 * parts, which may be empty, `data-gap`
 */
export function useChunksInSight(
  table: Readonly<Ref<HTMLElement | null>>,
  chunks: ComputedRef<readonly Chunk[]>,
) {
  /** Pixels of those that were drawn once. */
  const heights = new Map<number, number>()
  const tops = shallowRef(offsetsOf(chunks.value, heights))
  const drawn = shallowRef<Span>(beginning())
  let root: Element | null = null
  let resizes: ResizeObserver | null = null
  let frame = 0

  function beginning(): Span {
    const isLong = (tops.value.at(-1) ?? 0) > longPixels
    if (isLong) return { from: 0, to: 0 }
    return { from: 0, to: Math.min(chunks.value.length, partAt(tops.value, shortPixels) + 1) }
  }

  function measure(): void {
    for (const part of table.value?.querySelectorAll('[data-chunk]') ?? []) {
      const { height } = part.getBoundingClientRect()
      if (height > 0) heights.set(Number(part.getAttribute('data-chunk')), height)
    }
    tops.value = offsetsOf(chunks.value, heights)
  }

  function look(): void {
    cancelAnimationFrame(frame)
    const gap = table.value?.querySelector('[data-gap]')
    if (!root || !gap || chunks.value.length === 0) return
    measure()
    const above = root.getBoundingClientRect().top - gap.getBoundingClientRect().top
    const from = partAt(tops.value, above - margin)
    const to = partAt(tops.value, above + root.clientHeight + margin) + 1
    const next = nextSpan(drawn.value, { from, to }, partAt(tops.value, above))
    if (next.from === drawn.value.from && next.to === drawn.value.to) return
    drawn.value = next
    frame = requestAnimationFrame(look)
  }

  function lookSoon(): void {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(look)
  }

  onMounted(() => {
    root = table.value?.closest('[data-scrolls]') ?? null
    if (!root) return
    root.addEventListener('scroll', look, { passive: true })
    // It tells of the first size in the frame that draws the table's head, which has enough to do.
    resizes = new ResizeObserver(lookSoon)
    resizes.observe(root)
    lookSoon()
  })
  watch(chunks, () => {
    heights.clear()
    tops.value = offsetsOf(chunks.value, heights)
    drawn.value = beginning()
    void nextTick(look)
  })
  onBeforeUnmount(() => {
    cancelAnimationFrame(frame)
    root?.removeEventListener('scroll', look)
    resizes?.disconnect()
  })

  /** Pixels of the gaps. */
  const above = computed(() => tops.value[drawn.value.from] ?? 0)
  const below = computed(() => (tops.value.at(-1) ?? 0) - (tops.value[drawn.value.to] ?? 0))
  const parts = computed(() =>
    chunks.value.slice(drawn.value.from, drawn.value.to).map((_, i) => drawn.value.from + i),
  )
  return { parts, above, below }
}
