/** Keys as they are shown in the window. */
import type { MenuCommand } from '@shared/ipc'
import { keyWords, shortcutOf } from '@shared/shortcuts'
import { t } from '@/i18n'

const isMac = /mac/i.test(navigator.userAgent)

export const shownKeys = (accelerator: string): string => keyWords(accelerator, isMac)

/** The key of a command, for a button that has it. */
export const keyOfCommand = (command: MenuCommand): string => shownKeys(shortcutOf(command)?.keys[0] ?? '')

/** What has the focus hears these. */
export function keysWhereFocused(): readonly { readonly what: string; readonly keys: readonly string[] }[] {
  return [
    { what: t('shortcuts.nameACluster'), keys: ['F2'] },
    { what: t('shortcuts.writeANoteAboutARun'), keys: ['F2'] },
    { what: t('shortcuts.removeARun'), keys: [t('shortcuts.delete')] },
    { what: t('shortcuts.zoomAPlot'), keys: ['+', '-', '0'] },
    { what: t('shortcuts.walkInAPlotOrTable'), keys: ['← ↑ → ↓'] },
    { what: t('shortcuts.selectARow'), keys: [t('shortcuts.space')] },
    { what: t('shortcuts.closeADialogOrASelection'), keys: [shownKeys('Escape')] },
  ]
}
