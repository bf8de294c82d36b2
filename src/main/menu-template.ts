import type { MenuItemConstructorOptions } from 'electron'
import type { MenuCommand, RecentFile } from '@shared/ipc'
import { languageChoices, languageNames, type LanguageChoice } from '@shared/locale/languages'
import { t } from '@shared/locale/translate'
import { printable } from '@shared/printable'
import { menuWords, shortcutOf } from '@shared/shortcuts'

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
type Command = (name: MenuCommand) => MenuItemConstructorOptions

const line: MenuItemConstructorOptions = { type: 'separator' }

/** The whole menu as a description; commands go to the page, which carries them out. */
export function menuTemplate(facts: MenuFacts, actions: MenuActions): Items {
  const command: Command = (name) => {
    const accelerator = shortcutOf(name)?.keys[0]
    return {
      id: name,
      label: t(menuWords[name]),
      enabled: facts.enabled.has(name),
      ...(accelerator === undefined ? {} : { accelerator }),
      click: () => actions.send(name),
    }
  }
  return [
    ...(facts.mac ? [{ role: 'appMenu' } as const] : []),
    { label: t('menu.file'), submenu: fileMenu(command, facts, actions) },
    { label: t('menu.edit'), submenu: editMenu(command, facts) },
    { label: t('menu.clustering'), submenu: clusteringMenu(command) },
    { label: t('menu.view'), submenu: viewMenu(command, facts, actions) },
    { role: 'help', label: t('menu.help'), submenu: [command('shortcuts'), command('about')] },
  ]
}

function fileMenu(command: Command, facts: MenuFacts, actions: MenuActions): Items {
  return [
    command('new-session'),
    command('open'),
    command('open-session'),
    command('open-steps'),
    command('generate'),
    { id: 'recent', label: t('menu.openRecent'), submenu: recentMenu(facts.recent, actions) },
    line,
    command('save-session'),
    command('save-session-as'),
    line,
    command('import-settings'),
    line,
    {
      label: t('menu.export'),
      submenu: [command('export-labels'), command('export-centroids')],
    },
    command('export-all'),
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
    { ...command('undo'), ...keysOfThePage },
    { ...command('redo'), ...keysOfThePage },
    line,
    { role: 'cut', label: t('menu.cut') },
    { role: 'copy', label: t('menu.copy') },
    { role: 'paste', label: t('menu.paste') },
    { role: 'selectAll', label: t('menu.selectAll') },
    line,
    command('copy-command-line'),
    command('copy-python'),
  ]
}

function clusteringMenu(command: Command): Items {
  return [command('run'), command('cancel'), line, command('assign-rows'), command('verify')]
}

function viewMenu(command: Command, { development, language }: MenuFacts, actions: MenuActions): Items {
  return [
    command('view-clusters'),
    command('view-profiles'),
    command('view-choose-k'),
    command('view-table'),
    command('view-steps'),
    command('view-benchmark'),
    line,
    command('toggle-settings-panel'),
    command('toggle-result-panel'),
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
