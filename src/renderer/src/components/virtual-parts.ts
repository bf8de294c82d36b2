/** Rows or columns in a frame that scrolls: only those in sight, and a few beyond, are drawn. */
import { observeElementRect, useVirtualizer, type Virtualizer } from '@tanstack/vue-virtual'
import { computed, shallowRef, watch, type Ref } from 'vue'

/** Parts that are drawn. */
export interface Sight {
  readonly first: number
  /** One past the last. */
  readonly end: number
  /** Pixels that stand for those left out. */
  readonly before: number
  readonly after: number
}

interface Parts {
  readonly count: () => number
  /** Pixels of each, or of all of them in their order. */
  readonly pixels: number | (() => number | readonly number[])
  /** Drawn beyond each edge, so that nothing is missing while the next frame is made. */
  readonly spare: number
  /** Columns instead of rows. */
  readonly across?: boolean
  /** Pixels of what stands before the first part and scrolls away with it. */
  readonly leading?: () => number
  /** Pixels of a header that stays, and covers as much of the frame. */
  readonly header?: number
}

/** Assumed until the frame was measured, and where a page has no layout. */
const unmeasured = { width: 560, height: 480 }

/** Scrolls and says so at once: the event that tells of it comes with the next frame, too late to focus what is drawn then. */
function scrollNow(
  offset: number,
  _how: unknown,
  { scrollElement, options }: Virtualizer<HTMLElement, Element>,
): void {
  const edge = options.horizontal ? 'scrollLeft' : 'scrollTop'
  if (!scrollElement || scrollElement[edge] === offset) return
  scrollElement[edge] = offset
  scrollElement.dispatchEvent(new Event('scroll'))
}

export function useVirtualParts(frame: Readonly<Ref<HTMLElement | null>>, parts: Parts) {
  const { count, spare, across = false, leading = () => 0, header = 0 } = parts
  const pixels = (): number | readonly number[] =>
    typeof parts.pixels === 'number' ? parts.pixels : parts.pixels()
  /** Pixels of the frame. */
  const size = shallowRef(unmeasured)
  const virtualizer = useVirtualizer<HTMLElement, Element>(
    computed(() => ({
      count: count(),
      getScrollElement: () => frame.value,
      estimateSize: (index) => {
        const sizes = pixels()
        return typeof sizes === 'number' ? sizes : (sizes[index] ?? 0)
      },
      overscan: spare,
      horizontal: across,
      paddingStart: leading(),
      scrollPaddingEnd: header,
      initialRect: unmeasured,
      observeElementRect: (instance, report) =>
        observeElementRect(instance, ({ width, height }) => {
          size.value = { width: width || unmeasured.width, height: height || unmeasured.height }
          report(size.value)
        }),
      scrollToFn: scrollNow,
    })),
  )
  watch(pixels, () => virtualizer.value.measure())
  // The same list as long as the same parts are in sight: what depends on it rests while the frame scrolls within one part.
  const drawn = computed(() => virtualizer.value.getVirtualItems())
  const sight = computed((): Sight => {
    const [first, last] = [drawn.value[0], drawn.value.at(-1)]
    const start = leading()
    return {
      first: first?.index ?? 0,
      end: (last?.index ?? -1) + 1,
      before: (first?.start ?? start) - start,
      after: virtualizer.value.getTotalSize() - (last?.end ?? start),
    }
  })

  /** Scrolls no further than it takes to have the part in sight. */
  function show(index: number): void {
    virtualizer.value.scrollToIndex(index)
  }

  return { sight, size, show }
}
