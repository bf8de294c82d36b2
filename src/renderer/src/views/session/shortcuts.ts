import type { MenuCommand } from '@shared/ipc'
import { onBeforeUnmount, onMounted } from 'vue'
import { useDatasetStore } from '@/stores/dataset'
import { useRunStore } from '@/stores/run'

/** The menu's shortcuts, for the page itself: a key that the page handles does not reach the native menu. */
export function useShortcuts(menu: (command: MenuCommand) => void): void {
  const dataset = useDatasetStore()
  const run = useRunStore()

  function key(event: KeyboardEvent): void {
    if (event.defaultPrevented) return
    const command = commandOf(event)
    if (!command || (command === 'cancel' && !run.busy && !dataset.opening)) return
    event.preventDefault()
    menu(command)
  }

  onMounted(() => window.addEventListener('keydown', key))
  onBeforeUnmount(() => window.removeEventListener('keydown', key))
}

function commandOf(event: KeyboardEvent): MenuCommand | null {
  const { key, altKey, shiftKey } = event
  if (key === 'Escape') return 'cancel'
  if (!(event.ctrlKey || event.metaKey) || altKey) return null
  const letter = key.toLowerCase()
  // A field that is being typed in keeps its own undo.
  if (letter === 'z' && !isTyping(event.target)) return shiftKey ? 'redo' : 'undo'
  if (letter === 'y' && !isTyping(event.target)) return 'redo'
  if (letter === 's') return shiftKey ? 'save-session-as' : 'save-session'
  if (shiftKey) return null
  if (letter === 'n') return 'new-session'
  if (letter === 'r') return 'run'
  return letter === 'o' ? 'open' : null
}

function isTyping(target: EventTarget | null): boolean {
  const box =
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'color'].includes(target.type)
  return box || target instanceof HTMLTextAreaElement
}
