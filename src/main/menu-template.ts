import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand, RecentFile } from '@shared/ipc'
import { printable } from '@shared/printable'

export interface MenuActions {
  send(command: MenuCommand): void
  openRecent(token: string): void
  forgetRecent(): void
}

export interface MenuFacts {
  readonly recent: readonly RecentFile[]
  readonly enabled: ReadonlySet<MenuCommand>
  readonly mac: boolean
  /** Tools of a developer belong into no installed program. */
  readonly development: boolean
}

type Items = MenuItemConstructorOptions[]
type Command = (label: string, name: MenuCommand, accelerator?: string) => MenuItemConstructorOptions

const line: MenuItemConstructorOptions = { type: 'separator' }

/** The whole menu as a description; commands go to the page, which carries them out. */
export function menuTemplate(facts: MenuFacts, actions: MenuActions): Items {
  const command: Command = (label, name, accelerator) => ({
    id: name,
    label,
    enabled: facts.enabled.has(name),
    ...(accelerator === undefined ? {} : { accelerator }),
    click: () => actions.send(name),
  })
  return [
    ...(facts.mac ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: fileMenu(command, facts, actions) },
    { label: '&Edit', submenu: editMenu(command, facts) },
    { label: '&Clustering', submenu: clusteringMenu(command) },
    { label: '&View', submenu: viewMenu(command, facts) },
    { role: 'help', label: '&Help', submenu: [command('&About Centroid Lab', 'about')] },
  ]
}

function fileMenu(command: Command, facts: MenuFacts, actions: MenuActions): Items {
  return [
    command('&New session', 'new-session', 'CommandOrControl+N'),
    command('&Open…', 'open', 'CommandOrControl+O'),
    command('Open s&ession…', 'open-session'),
    command('Open &step folder…', 'open-steps', 'CommandOrControl+Shift+O'),
    command('&Generate data…', 'generate', 'CommandOrControl+G'),
    { id: 'recent', label: 'Open &recent', submenu: recentMenu(facts.recent, actions) },
    line,
    command('&Save session', 'save-session', 'CommandOrControl+S'),
    command('Save session &as…', 'save-session-as', 'CommandOrControl+Shift+S'),
    line,
    command('&Import settings…', 'import-settings', 'CommandOrControl+I'),
    line,
    {
      label: '&Export',
      submenu: [
        command('&Labels…', 'export-labels', 'CommandOrControl+E'),
        command('&Centroids…', 'export-centroids', 'CommandOrControl+Shift+E'),
      ],
    },
    command('Export &all…', 'export-all', 'CommandOrControl+Alt+E'),
    line,
    { role: facts.mac ? 'close' : 'quit' },
  ]
}

function recentMenu(recent: readonly RecentFile[], actions: MenuActions): Items {
  if (recent.length === 0) return [{ label: 'No recent files', enabled: false }]
  const names = recent.map(({ name }) => name)
  return [
    ...recent.map(({ token, name, folder }) => ({
      // The folder tells files of one name apart. An ampersand would become a shortcut mark.
      label: printable(
        names.filter((other) => other === name).length > 1 ? `${name} (${folder})` : name,
      ).replace(/&/g, '&&'),
      click: () => actions.openRecent(token),
    })),
    line,
    { id: 'forget-recent', label: '&Clear recent', click: () => actions.forgetRecent() },
  ]
}

function editMenu(command: Command, { mac }: MenuFacts): Items {
  // Elsewhere than on a Mac the page hears the keys itself, so that a text field keeps an undo of its own.
  const keysOfThePage = mac ? {} : { registerAccelerator: false }
  return [
    { ...command('&Undo setting', 'undo', 'CommandOrControl+Z'), ...keysOfThePage },
    { ...command('&Redo setting', 'redo', 'CommandOrControl+Shift+Z'), ...keysOfThePage },
    line,
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
    line,
    command('Copy as co&mmand line', 'copy-command-line', 'CommandOrControl+Shift+C'),
  ]
}

function clusteringMenu(command: Command): Items {
  return [command('&Run', 'run', 'CommandOrControl+R'), command('&Cancel', 'cancel', 'CommandOrControl+.')]
}

function viewMenu(command: Command, { development }: MenuFacts): Items {
  return [
    command('&Clusters', 'view-clusters', 'CommandOrControl+1'),
    command('&Profiles', 'view-profiles', 'CommandOrControl+2'),
    command('Choose &k', 'view-choose-k', 'CommandOrControl+3'),
    command('&Table', 'view-table', 'CommandOrControl+4'),
    command('&Steps', 'view-steps', 'CommandOrControl+5'),
    command('&Benchmark', 'view-benchmark', 'CommandOrControl+6'),
    line,
    command('Settings &panel', 'toggle-settings-panel', 'CommandOrControl+B'),
    command('&Result panel', 'toggle-result-panel', 'CommandOrControl+Alt+B'),
    line,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    // The same key without Shift, as browsers have it.
    { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut' },
    line,
    { role: 'togglefullscreen' },
    ...(development ? [line, { role: 'toggleDevTools' } as const] : []),
  ]
}
