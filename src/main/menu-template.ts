import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand, RecentFile } from '@shared/ipc'
import { languageChoices, languageNames, type LanguageChoice } from '@shared/locale/languages'
import { t } from '@shared/locale/translate'
import { printable } from '@shared/printable'

export interface MenuActions {
  send(command: MenuCommand): void
  openRecent(token: string): void
  forgetRecent(): void
  chooseLanguage(choice: LanguageChoice): void
}

export interface MenuFacts {
  readonly recent: readonly RecentFile[]
  readonly enabled: ReadonlySet<MenuCommand>
  readonly mac: boolean
  readonly language: LanguageChoice
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
    { label: t('menu.file'), submenu: fileMenu(command, facts, actions) },
    { label: t('menu.edit'), submenu: editMenu(command, facts) },
    { label: t('menu.clustering'), submenu: clusteringMenu(command) },
    { label: t('menu.view'), submenu: viewMenu(command, facts, actions) },
    { role: 'help', label: t('menu.help'), submenu: [command(t('menu.about'), 'about')] },
  ]
}

function fileMenu(command: Command, facts: MenuFacts, actions: MenuActions): Items {
  return [
    command(t('menu.newSession'), 'new-session', 'CommandOrControl+N'),
    command(t('menu.open'), 'open', 'CommandOrControl+O'),
    command(t('menu.openSession'), 'open-session'),
    command(t('menu.openSteps'), 'open-steps', 'CommandOrControl+Shift+O'),
    command(t('menu.generate'), 'generate', 'CommandOrControl+G'),
    { id: 'recent', label: t('menu.openRecent'), submenu: recentMenu(facts.recent, actions) },
    line,
    command(t('menu.saveSession'), 'save-session', 'CommandOrControl+S'),
    command(t('menu.saveSessionAs'), 'save-session-as', 'CommandOrControl+Shift+S'),
    line,
    command(t('menu.importSettings'), 'import-settings', 'CommandOrControl+I'),
    line,
    {
      label: t('menu.export'),
      submenu: [
        command(t('menu.labels'), 'export-labels', 'CommandOrControl+E'),
        command(t('menu.centroids'), 'export-centroids', 'CommandOrControl+Shift+E'),
      ],
    },
    command(t('menu.exportAll'), 'export-all', 'CommandOrControl+Alt+E'),
    line,
    facts.mac ? { role: 'close', label: t('menu.close') } : { role: 'quit', label: t('menu.quit') },
  ]
}

function recentMenu(recent: readonly RecentFile[], actions: MenuActions): Items {
  if (recent.length === 0) return [{ label: t('menu.noRecent'), enabled: false }]
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
    { id: 'forget-recent', label: t('menu.clearRecent'), click: () => actions.forgetRecent() },
  ]
}

function editMenu(command: Command, { mac }: MenuFacts): Items {
  // Elsewhere than on a Mac the page hears the keys itself, so that a text field keeps an undo of its own.
  const keysOfThePage = mac ? {} : { registerAccelerator: false }
  return [
    { ...command(t('menu.undo'), 'undo', 'CommandOrControl+Z'), ...keysOfThePage },
    { ...command(t('menu.redo'), 'redo', 'CommandOrControl+Shift+Z'), ...keysOfThePage },
    line,
    { role: 'cut', label: t('menu.cut') },
    { role: 'copy', label: t('menu.copy') },
    { role: 'paste', label: t('menu.paste') },
    { role: 'selectAll', label: t('menu.selectAll') },
    line,
    command(t('menu.copyCommandLine'), 'copy-command-line', 'CommandOrControl+Shift+C'),
    command(t('menu.copyPython'), 'copy-python', 'CommandOrControl+Shift+P'),
  ]
}

function clusteringMenu(command: Command): Items {
  return [
    command(t('menu.run'), 'run', 'CommandOrControl+R'),
    command(t('menu.cancel'), 'cancel', 'CommandOrControl+.'),
    line,
    command(t('menu.assignRows'), 'assign-rows', 'CommandOrControl+Shift+A'),
    command(t('menu.verify'), 'verify'),
  ]
}

function viewMenu(command: Command, { development, language }: MenuFacts, actions: MenuActions): Items {
  return [
    command(t('menu.clusters'), 'view-clusters', 'CommandOrControl+1'),
    command(t('menu.profiles'), 'view-profiles', 'CommandOrControl+2'),
    command(t('menu.chooseK'), 'view-choose-k', 'CommandOrControl+3'),
    command(t('menu.table'), 'view-table', 'CommandOrControl+4'),
    command(t('menu.steps'), 'view-steps', 'CommandOrControl+5'),
    command(t('menu.benchmark'), 'view-benchmark', 'CommandOrControl+6'),
    line,
    command(t('menu.settingsPanel'), 'toggle-settings-panel', 'CommandOrControl+B'),
    command(t('menu.resultPanel'), 'toggle-result-panel', 'CommandOrControl+Alt+B'),
    line,
    { id: 'language', label: t('menu.language'), submenu: languageMenu(language, actions) },
    line,
    { role: 'resetZoom', label: t('menu.resetZoom') },
    { role: 'zoomIn', label: t('menu.zoomIn') },
    // The same key without Shift, as browsers have it.
    { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false, acceleratorWorksWhenHidden: true },
    { role: 'zoomOut', label: t('menu.zoomOut') },
    line,
    { role: 'togglefullscreen', label: t('menu.fullScreen') },
    ...(development ? [line, { role: 'toggleDevTools' } as const] : []),
  ]
}

function languageMenu(chosen: LanguageChoice, actions: MenuActions): Items {
  return languageChoices.map((choice) => ({
    id: `language-${choice}`,
    label: choice === 'system' ? t('menu.systemLanguage') : languageNames[choice],
    type: 'radio',
    checked: choice === chosen,
    click: () => actions.chooseLanguage(choice),
  }))
}
