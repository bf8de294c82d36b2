/** Keys stay where they were when the button that had them gives way to another, or to a word. */
import { onBeforeUpdate, onUpdated, type Ref } from 'vue'

/**
 * @param frame what is looked after
 * @param slots selector of what holds one button at a time; what comes after it in the same slot gets the focus
 */
export function useKeptFocus(frame: Readonly<Ref<HTMLElement | null>>, slots: string): void {
  let slot: Element | null = null
  onBeforeUpdate(() => {
    const { activeElement } = document
    slot = frame.value?.contains(activeElement) ? (activeElement?.closest(slots) ?? null) : null
  })
  onUpdated(() => {
    if (document.activeElement !== document.body) return
    slot?.querySelector<HTMLElement>('button:not(:disabled), [tabindex]')?.focus()
  })
}
