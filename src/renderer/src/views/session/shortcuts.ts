import type { MenuCommand } from '@shared/ipc'
import { commandOf } from '@shared/shortcuts'
import { onBeforeUnmount, onMounted } from 'vue'
import { useDatasetStore } from '@/stores/dataset'
import { useRunStore } from '@/stores/run'

/** The menu's shortcuts, for the page itself: a key that the page handles does not reach the native menu. */
export function useShortcuts(menu: (command: MenuCommand) => void): void {
  const dataset = useDatasetStore()
  const run = useRunStore()

  function key(event: KeyboardEvent): void {
    if (event.defaultPrevented) return
    // A field that is being typed in keeps its own undo.
    const command = commandOf(event, isTyping(event.target))
    if (!command || (command === 'cancel' && !run.busy && !dataset.opening)) return
    event.preventDefault()
    menu(command)
  }

  onMounted(() => window.addEventListener('keydown', key))
  onBeforeUnmount(() => window.removeEventListener('keydown', key))
}

function isTyping(target: EventTarget | null): boolean {
  const box =
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'color'].includes(target.type)
  return box || target instanceof HTMLTextAreaElement
}
