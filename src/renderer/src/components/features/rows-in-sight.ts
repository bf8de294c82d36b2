/** Tells which rows of a list, whatever scrolls it, come into sight; the rows carry their column in `data-column`. */
import { nextTick, onBeforeUnmount, onMounted, watch, type Ref, type WatchSource } from 'vue'

/** @param rows changes when rows come and go. */
export function useRowsInSight(
  list: Readonly<Ref<HTMLElement | null>>,
  rows: WatchSource,
  report: (column: number, inSight: boolean) => void,
): void {
  let observer: IntersectionObserver | null = null

  function observeAll(): void {
    observer?.disconnect()
    for (const row of list.value?.querySelectorAll('[data-column]') ?? []) observer?.observe(row)
  }

  onMounted(() => {
    observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          report(Number(target.getAttribute('data-column')), isIntersecting)
        }
      },
      { rootMargin: '40px 0px' },
    )
    observeAll()
  })
  watch(rows, () => void nextTick(observeAll))
  onBeforeUnmount(() => observer?.disconnect())
}
