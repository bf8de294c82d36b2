import { extname } from 'node:path'
import { dialog, type BrowserWindow, type FileFilter } from 'electron'
import { tableEndings } from '@engine/csv/tables-in-folder'
import { printable } from '@shared/printable'
import { t } from '@shared/locale/translate'

export const tables = (): FileFilter => ({ name: t('desktop.tables'), extensions: [...tableEndings] })
export const everything = (): FileFilter => ({ name: t('desktop.allFiles'), extensions: ['*'] })
const suites = (): FileFilter => ({ name: t('desktop.comparisons'), extensions: ['json'] })

/** What a file to be written is, by its ending. */
const writtenTypes: Readonly<Record<string, string>> = {
  get '.csv'() {
    return t('desktop.commaSeparatedValues')
  },
  get '.json'() {
    return t('desktop.jsonDocument')
  },
  get '.png'() {
    return t('desktop.pngPicture')
  },
  get '.svg'() {
    return t('desktop.svgDrawing')
  },
  get '.html'() {
    return t('desktop.webPage')
  },
  get '.xlsx'() {
    return t('desktop.excelWorkbook')
  },
  get '.txt'() {
    return t('desktop.textTable')
  },
}
const maxNamesShown = 8

/** Lets the person choose one file; null when the dialog was closed. @param folder where the dialog begins */
export async function chooseFile(
  window: BrowserWindow,
  title: string,
  filters: FileFilter[],
  folder?: string,
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    ...(folder !== undefined && { defaultPath: folder }),
    properties: ['openFile'],
    filters,
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person choose a table; null when the dialog was closed. */
export function chooseTable(window: BrowserWindow, title: string): Promise<string | null> {
  return chooseFile(window, title, [tables(), everything()])
}

/** Lets the person choose a SUITE.json; null when the dialog was closed. */
export function chooseSuite(window: BrowserWindow): Promise<string | null> {
  return chooseFile(window, t('desktop.openAComparison'), [suites(), everything()])
}

/** Lets the person choose a folder; null when the dialog was closed. */
export async function chooseFolder(
  window: BrowserWindow,
  title: string,
  buttonLabel: string,
  near?: string,
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    buttonLabel,
    ...(near !== undefined && { defaultPath: near }),
    properties: ['openDirectory', 'createDirectory'],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person name a file to write; the dialog itself asks before an existing one is replaced. */
export async function nameFile(
  window: BrowserWindow,
  title: string,
  proposed: string,
  filters: FileFilter[],
): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title,
    defaultPath: proposed,
    filters,
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  })
  return canceled || !filePath ? null : filePath
}

/** Lets the person name the file that an export is written to. */
export function chooseTarget(window: BrowserWindow, proposed: string): Promise<string | null> {
  return nameFile(window, t('desktop.export', [proposed]), proposed, filtersFor(proposed))
}

function filtersFor(proposed: string): FileFilter[] {
  const ending = extname(proposed)
  const name = writtenTypes[ending]
  return name === undefined ? [everything()] : [{ name, extensions: [ending.slice(1)] }, everything()]
}

/** Asks once before files of a folder are replaced; whoever only presses Enter keeps them. */
export async function confirmReplace(
  window: BrowserWindow,
  folder: string,
  names: readonly string[],
): Promise<boolean> {
  return confirmed(
    window,
    t('desktop.replaceFiles', [names.length], names.length),
    `${t('desktop.inFolder', [printable(folder)])}\n${listed(names)}`,
    t('desktop.replace'),
  )
}

/** Asks before something is lost; whoever only presses Enter keeps it. */
export async function confirmed(
  window: BrowserWindow,
  message: string,
  detail: string,
  button: string,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message,
    detail,
    buttons: [button, t('desktop.cancel')],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}

/** The first of some names, and how many there are beyond them. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNamesShown).map(printable).join(', ')
  const more = names.length - maxNamesShown
  return more > 0 ? `${shown}${t('desktop.andMore', [more])}` : shown
}
