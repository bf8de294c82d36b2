/** Rows of one height in a frame that scrolls, any number of them: a page can be some ten million pixels high and no more. */
import { computed, onBeforeUnmount, onMounted, ref, shallowRef, type Ref } from 'vue'

/** A page that is higher is cut off. */
const maxPixels = 8_000_000
/** Assumed until the frame was measured, and where a page has no layout. */
const unmeasured = 480
const pixelsOfLine = 40

interface TallRows {
  readonly count: () => number
  /** Pixels of each. */
  readonly pixels: number
  /** Of the header, which stays. */
  readonly header: number
}

export function useTallScroll(frame: Readonly<Ref<HTMLElement | null>>, { count, pixels, header }: TallRows) {
  /** Pixels of rows above the frame's edge, were the page as high as all rows together. */
  const offset = ref(0)
  const frameHeight = shallowRef(unmeasured)
  const view = computed(() => Math.max(pixels, frameHeight.value - header))
  const whole = computed(() => count() * pixels)
  /** Pixels of the page that stands for all rows. */
  const page = computed(() => Math.min(whole.value, maxPixels))
  /** Pixels of rows for one of the page. */
  const scale = computed(() =>
    whole.value <= maxPixels ? 1 : (whole.value - view.value) / (maxPixels - view.value),
  )
  const end = computed(() => Math.max(0, whole.value - view.value))
  /** Where the frame was put by us: its event changes nothing. */
  let placed = -1

  const sight = computed(() => {
    const top = Math.min(offset.value, end.value)
    const first = Math.floor(top / pixels)
    return { first, end: Math.min(count(), Math.ceil((top + view.value) / pixels) + 1), shift: first * pixels - top }
  })

  function scrolled(): void {
    const top = frame.value?.scrollTop ?? 0
    if (placed >= 0 && Math.abs(top - placed) < 1.5) return
    placed = -1
    offset.value = top * scale.value
  }

  function go(to: number): void {
    offset.value = Math.max(0, Math.min(end.value, to))
    if (!frame.value) return
    placed = offset.value / scale.value
    frame.value.scrollTop = placed
  }

  /** Where a pixel of the page is many rows, the wheel goes by rows all the same. */
  function wheel(event: WheelEvent): void {
    if (scale.value === 1 || event.deltaY === 0 || event.ctrlKey) return
    event.preventDefault()
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? pixelsOfLine : 1
    go(offset.value + event.deltaY * unit)
  }

  /** Scrolls no further than it takes to have the row in sight. */
  function show(row: number): void {
    const top = row * pixels
    if (top < offset.value) go(top)
    else if (top + pixels > offset.value + view.value) go(top + pixels - view.value)
  }

  const measure = (): void => {
    frameHeight.value = frame.value?.clientHeight || unmeasured
  }
  const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(measure)
  onMounted(() => {
    measure()
    if (frame.value) observer?.observe(frame.value)
  })
  onBeforeUnmount(() => observer?.disconnect())

  /** Rows that fit whole. */
  const fitting = computed(() => Math.max(1, Math.floor(view.value / pixels)))
  return { sight, page, view, fitting, scrolled, wheel, show, reset: (): void => go(0) }
}
