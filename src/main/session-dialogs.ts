/** Questions about sessions, asked by dialogs of the system. */
import { dialog, type BrowserWindow, type FileFilter } from 'electron'
import { tableEndings } from '@engine/csv/tables-in-folder'
import { t } from '@shared/locale/translate'
import { printable } from '@shared/printable'
import { sessionEnding } from '@shared/session'
import { chooseFile, chooseFolder, confirmed, everything, listed, nameFile, tables } from './dialogs'

const sessionExtension = sessionEnding.slice(1)

const sessions = (): FileFilter => ({ name: t('sessionDialogs.sessions'), extensions: [sessionExtension] })

/** Lets the person choose what is opened; null when the dialog was closed. */
export function chooseTableOrSession(window: BrowserWindow): Promise<string | null> {
  const openable = { name: t('sessionDialogs.openable'), extensions: [...tableEndings, sessionExtension] }
  return chooseFile(window, t('sessionDialogs.openTitle'), [openable, tables(), sessions(), everything()])
}

/** Lets the person choose a .clab; null when the dialog was closed. */
export function chooseSession(window: BrowserWindow): Promise<string | null> {
  return chooseFile(window, t('sessionDialogs.sessionTitle'), [sessions(), everything()])
}

/** Lets the person show where a file of the session is; null when the dialog was closed. */
export function chooseMovedFile(window: BrowserWindow, folder: string): Promise<string | null> {
  return chooseFile(window, t('sessionDialogs.locateTitle'), [tables(), everything()], folder)
}

/** Lets the person name the .clab of a session; the dialog itself asks before an existing one is replaced. */
export function chooseSessionTarget(window: BrowserWindow, proposed: string): Promise<string | null> {
  return nameFile(window, t('sessionDialogs.saveTitle'), proposed, [sessions(), everything()])
}

/** Asks what becomes of runs that no .clab has; Escape goes on as before. */
export async function askToSave(window: BrowserWindow, name: string): Promise<'save' | 'leave' | 'cancel'> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: t('sessionDialogs.ask', [printable(name)]),
    detail: t('sessionDialogs.askDetail'),
    buttons: [t('sessionDialogs.save'), t('sessionDialogs.leave'), t('sessionDialogs.cancel')],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  })
  return (['save', 'leave', 'cancel'] as const)[response] ?? 'cancel'
}

/** Asks once for the folder of files that are not at their places; null opens the session without them. */
export async function askForFolder(
  window: BrowserWindow,
  names: readonly string[],
  near: string,
): Promise<string | null> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: t('sessionDialogs.moved', [names.length], names.length),
    detail: t('sessionDialogs.movedDetail', [listed(names)]),
    buttons: [t('sessionDialogs.chooseFolder'), t('sessionDialogs.without')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  })
  if (response !== 0) return null
  return chooseFolder(window, t('sessionDialogs.whereTitle'), t('sessionDialogs.look'), near)
}

/** Asks before runs go; whoever only presses Enter keeps them. */
export function confirmCloseDataset(window: BrowserWindow, name: string, runs: number): Promise<boolean> {
  return confirmed(
    window,
    t('sessionDialogs.closeDataset', [printable(name), runs], runs),
    t('sessionDialogs.closeDetail'),
    t('sessionDialogs.close'),
  )
}
