/** Keys stay where they were when the button that had them gives way to another, or to a word. */
import { onBeforeUpdate, onUpdated, type Ref } from 'vue'

/**
 * @param frame what is looked after
 * @param places selector of what holds one button at a time; what comes after it in the same place gets the focus
 */
export function useKeptFocus(frame: Readonly<Ref<HTMLElement | null>>, places: string): void {
  let place: Element | null = null
  onBeforeUpdate(() => {
    const { activeElement } = document
    place = frame.value?.contains(activeElement) ? (activeElement?.closest(places) ?? null) : null
  })
  onUpdated(() => {
    if (document.activeElement !== document.body) return
    place?.querySelector<HTMLElement>('button:not(:disabled), [tabindex]')?.focus()
  })
}
