/** Frames since something was drawn first: what is heavy to draw comes a frame later than what stands around it. */
import { onBeforeUnmount, onMounted, ref, type Ref } from 'vue'

/** @param last where counting ends */
export function useFrames(last: number): Readonly<Ref<number>> {
  const frames = ref(0)
  let frame = 0
  function count(): void {
    frames.value++
    if (frames.value < last) frame = requestAnimationFrame(count)
  }
  onMounted(() => (frame = requestAnimationFrame(count)))
  onBeforeUnmount(() => cancelAnimationFrame(frame))
  return frames
}
