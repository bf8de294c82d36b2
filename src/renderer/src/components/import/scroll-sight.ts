/** Where a scrolled frame stands and how large it is, in pixels. */
import { onBeforeUnmount, onMounted, shallowRef, type Ref } from 'vue'

export interface FrameSight {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export function useScrollSight(frame: Readonly<Ref<HTMLElement | null>>) {
  const sight = shallowRef<FrameSight>({ left: 0, top: 0, width: 1200, height: 600 })

  function follow(): void {
    if (!frame.value) return
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame.value
    sight.value = { left: scrollLeft, top: scrollTop, width: clientWidth, height: clientHeight }
  }

  const sizes = new ResizeObserver(follow)
  onMounted(() => {
    if (frame.value) sizes.observe(frame.value)
    follow()
  })
  onBeforeUnmount(() => sizes.disconnect())
  return { sight, follow }
}
