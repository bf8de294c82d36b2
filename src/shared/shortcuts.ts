/** Every keyboard shortcut: the native menu, the page and the list in Help read them here. */
import type { MenuCommand } from './ipc'
import type { SharedKey } from './locale/translate'

export interface Shortcut {
  readonly command: MenuCommand
  /** As Electron writes accelerators; the menu shows the first. */
  readonly keys: readonly [string, ...string[]]
  /** Left to a text field that is being typed in. */
  readonly notWhileTyping?: boolean
}

export interface ShortcutGroup {
  readonly menu: SharedKey
  readonly shortcuts: readonly Shortcut[]
}

const ctrl = 'CommandOrControl+'

/** By menu, in its order. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    menu: 'menu.file',
    shortcuts: [
      { command: 'new-session', keys: [`${ctrl}N`] },
      { command: 'open', keys: [`${ctrl}O`] },
      { command: 'open-steps', keys: [`${ctrl}Shift+O`] },
      { command: 'generate', keys: [`${ctrl}G`] },
      { command: 'save-session', keys: [`${ctrl}S`] },
      { command: 'save-session-as', keys: [`${ctrl}Shift+S`] },
      { command: 'import-settings', keys: [`${ctrl}I`] },
      { command: 'export-labels', keys: [`${ctrl}E`] },
      { command: 'export-centroids', keys: [`${ctrl}Shift+E`] },
      { command: 'export-all', keys: [`${ctrl}Alt+E`] },
    ],
  },
  {
    menu: 'menu.edit',
    shortcuts: [
      { command: 'undo', keys: [`${ctrl}Z`], notWhileTyping: true },
      { command: 'redo', keys: [`${ctrl}Shift+Z`, `${ctrl}Y`], notWhileTyping: true },
      { command: 'copy-command-line', keys: [`${ctrl}Shift+C`] },
      { command: 'copy-python', keys: [`${ctrl}Shift+P`] },
    ],
  },
  {
    menu: 'menu.clustering',
    shortcuts: [
      { command: 'run', keys: [`${ctrl}R`] },
      { command: 'cancel', keys: [`${ctrl}.`, 'Escape'] },
      { command: 'assign-rows', keys: [`${ctrl}Shift+A`] },
    ],
  },
  {
    menu: 'menu.view',
    shortcuts: [
      { command: 'view-clusters', keys: [`${ctrl}1`] },
      { command: 'view-profiles', keys: [`${ctrl}2`] },
      { command: 'view-choose-k', keys: [`${ctrl}3`] },
      { command: 'view-table', keys: [`${ctrl}4`] },
      { command: 'view-steps', keys: [`${ctrl}5`] },
      { command: 'view-benchmark', keys: [`${ctrl}6`] },
      { command: 'toggle-settings-panel', keys: [`${ctrl}B`] },
      { command: 'toggle-result-panel', keys: [`${ctrl}Alt+B`] },
    ],
  },
  { menu: 'menu.help', shortcuts: [{ command: 'shortcuts', keys: ['F1', '?'], notWhileTyping: true }] },
]

const shortcuts = shortcutGroups.flatMap((group) => group.shortcuts)

export const shortcutOf = (command: MenuCommand): Shortcut | undefined =>
  shortcuts.find((each) => each.command === command)

/** What a key press says of itself, as a browser tells it. */
export interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The command of a key press. @param isTyping in a text field */
export function commandOf(press: KeyPress, isTyping: boolean): MenuCommand | null {
  const found = shortcuts.find(({ keys }) => keys.some((accelerator) => isPressed(accelerator, press)))
  return found && !(isTyping && found.notWhileTyping) ? found.command : null
}

function isPressed(accelerator: string, press: KeyPress): boolean {
  const parts = accelerator.split('+')
  const [key = ''] = parts.slice(-1)
  const has = (modifier: string): boolean => parts.slice(0, -1).includes(modifier)
  return (
    press.key.toLowerCase() === key.toLowerCase() &&
    (press.ctrlKey || press.metaKey) === has('CommandOrControl') &&
    press.altKey === has('Alt') &&
    // Some keyboards have the question mark on a shifted key, some do not.
    (key === '?' || press.shiftKey === has('Shift'))
  )
}

const macSigns = { CommandOrControl: '⌘', Shift: '⇧', Alt: '⌥' } as const

/** As a person reads it: `Ctrl+Shift+O`, on a Mac `⌘⇧O`. */
export function keyWords(accelerator: string, isMac: boolean): string {
  if (!isMac) return accelerator.replace('CommandOrControl', 'Ctrl').replace('Escape', 'Esc')
  const parts = accelerator.split('+').map((part) => macSigns[part as keyof typeof macSigns] ?? part)
  return parts.join('').replace('Escape', 'esc')
}

/** What each command is called in the menu, where an ampersand marks a letter. */
export const menuWords: Readonly<Record<MenuCommand, SharedKey>> = {
  open: 'menu.open',
  'new-session': 'menu.newSession',
  'open-session': 'menu.openSession',
  'save-session': 'menu.saveSession',
  'save-session-as': 'menu.saveSessionAs',
  'open-steps': 'menu.openSteps',
  generate: 'menu.generate',
  'import-settings': 'menu.importSettings',
  run: 'menu.run',
  cancel: 'menu.cancel',
  undo: 'menu.undo',
  redo: 'menu.redo',
  'copy-command-line': 'menu.copyCommandLine',
  'copy-python': 'menu.copyPython',
  'assign-rows': 'menu.assignRows',
  verify: 'menu.verify',
  'export-labels': 'menu.labels',
  'export-centroids': 'menu.centroids',
  'export-all': 'menu.exportAll',
  'view-clusters': 'menu.clusters',
  'view-profiles': 'menu.profiles',
  'view-choose-k': 'menu.chooseK',
  'view-table': 'menu.table',
  'view-steps': 'menu.steps',
  'view-benchmark': 'menu.benchmark',
  'toggle-settings-panel': 'menu.settingsPanel',
  'toggle-result-panel': 'menu.resultPanel',
  shortcuts: 'menu.shortcuts',
  about: 'menu.about',
}
