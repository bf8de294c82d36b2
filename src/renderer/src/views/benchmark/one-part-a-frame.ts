/** What the parts of a long table show: a change comes to one part a frame, so that none takes long. */
import { onBeforeUnmount, shallowRef, watch, type ComputedRef } from 'vue'

/**
 * @param newest what every part is to show
 * @param parts those that are drawn, by number
 * @param whole when this is another, all parts change at once: they stand for something else
 * @returns what a part shows now
 */
export function useOnePartAFrame<T>(
  newest: ComputedRef<T>,
  parts: ComputedRef<readonly number[]>,
  whole: ComputedRef<unknown>,
): (part: number) => T {
  /** What parts still show whose turn has not come. */
  const late = shallowRef<ReadonlyMap<number, T>>(new Map())
  let frame = 0

  function next(): void {
    const drawn = new Set(parts.value)
    const left = [...late.value].filter(([part]) => drawn.has(part)).slice(1)
    late.value = new Map(left)
    if (left.length > 0) frame = requestAnimationFrame(next)
  }

  watch([newest, whole], ([, all], [before, allBefore]) => {
    cancelAnimationFrame(frame)
    // Who waits already comes first, or changes that come fast would never reach the last parts.
    const waiting = new Map(late.value)
    for (const part of parts.value) if (!waiting.has(part)) waiting.set(part, before)
    late.value = all === allBefore ? waiting : new Map()
    next()
  })
  onBeforeUnmount(() => cancelAnimationFrame(frame))
  return (part) => late.value.get(part) ?? newest.value
}
