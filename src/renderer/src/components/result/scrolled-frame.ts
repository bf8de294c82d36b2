/** Where a scrolling element stands, for tables that draw only what is in sight. */
import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue'

/** Assumed until the element was measured. */
const unmeasured = { width: 560, height: 480 }

/** Pixels, kept up to date while the element scrolls or changes its size. */
export function useScrolledFrame(element: Readonly<Ref<HTMLElement | null>>) {
  const left = ref(0)
  const top = ref(0)
  const width = ref(unmeasured.width)
  const height = ref(unmeasured.height)
  let sizes: ResizeObserver | undefined

  function read(): void {
    const frame = element.value
    if (!frame) return
    left.value = frame.scrollLeft
    top.value = frame.scrollTop
    width.value = frame.clientWidth || unmeasured.width
    height.value = frame.clientHeight || unmeasured.height
  }

  onMounted(() => {
    const frame = element.value
    if (!frame) return
    frame.addEventListener('scroll', read, { passive: true })
    // A page without layout (component tests) has nothing to observe. The first answer comes with the first layout,
    // so that none is forced here.
    if (!('ResizeObserver' in window)) return
    sizes = new ResizeObserver(read)
    sizes.observe(frame)
  })
  onBeforeUnmount(() => {
    element.value?.removeEventListener('scroll', read)
    sizes?.disconnect()
  })

  return { left, top, width, height, read }
}
