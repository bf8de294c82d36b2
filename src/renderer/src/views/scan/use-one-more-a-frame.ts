/** How many of some heavy parts are there: one more a frame, so that no frame draws them all. */
import { onScopeDispose, ref, watch, type Ref } from 'vue'

export function useOneMoreAFrame(wanted: () => number): Readonly<Ref<number>> {
  const count = ref(Math.min(1, wanted()))
  let frame = 0
  function step(): void {
    count.value = Math.min(wanted(), count.value + 1)
    if (count.value < wanted()) frame = requestAnimationFrame(step)
  }
  watch(
    wanted,
    () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(step)
    },
    { immediate: true },
  )
  onScopeDispose(() => cancelAnimationFrame(frame))
  return count
}
