/** A value that changes often, for plots that need not follow every change. */
import { onScopeDispose, shallowRef, watch, type Ref } from 'vue'

/** The newest value at most every so many milliseconds; the first and the last of a burst always. */
export function useThrottled<T>(source: () => T, ms: number): Readonly<Ref<T>> {
  const shown = shallowRef(source()) as Ref<T>
  let timer: ReturnType<typeof setTimeout> | null = null
  let waiting = false
  function update(): void {
    shown.value = source()
    waiting = false
    timer = setTimeout(() => {
      timer = null
      if (waiting) update()
    }, ms)
  }
  watch(source, () => {
    if (timer === null) update()
    else waiting = true
  })
  onScopeDispose(() => {
    if (timer !== null) clearTimeout(timer)
  })
  return shown
}
