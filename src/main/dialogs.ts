import { extname } from 'node:path'
import { dialog, type BrowserWindow, type FileFilter } from 'electron'
import { tableEndings } from '@engine/csv/tables-in-folder'
import { printable } from '@shared/printable'
import { t } from '@shared/locale/translate'

const tables = {
  get name() {
    return t('desktop.tables')
  },
  extensions: [...tableEndings],
}
const suites = {
  get name() {
    return t('desktop.comparisons')
  },
  extensions: ['json'],
}
const everything = {
  get name() {
    return t('desktop.allFiles')
  },
  extensions: ['*'],
}

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

/** Lets the person choose a table; null when the dialog was closed. */
export async function chooseTable(window: BrowserWindow, title: string): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    properties: ['openFile'],
    filters: [tables, everything],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person choose a SUITE.json; null when the dialog was closed. */
export async function chooseSuite(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: t('desktop.openAComparison'),
    properties: ['openFile'],
    filters: [suites, everything],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person choose a folder; null when the dialog was closed. */
export async function chooseFolder(
  window: BrowserWindow,
  title: string,
  buttonLabel: string,
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    buttonLabel,
    properties: ['openDirectory', 'createDirectory'],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person name a file to write; the dialog itself asks before an existing one is replaced. */
export async function chooseTarget(window: BrowserWindow, proposed: string): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: t('desktop.export', [proposed]),
    defaultPath: proposed,
    filters: filtersFor(proposed),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  })
  return canceled || !filePath ? null : filePath
}

function filtersFor(proposed: string): FileFilter[] {
  const ending = extname(proposed)
  const name = writtenTypes[ending]
  return name === undefined ? [everything] : [{ name, extensions: [ending.slice(1)] }, everything]
}

/** Asks once before files of a folder are replaced; whoever only presses Enter keeps them. */
export async function confirmReplace(
  window: BrowserWindow,
  folder: string,
  names: readonly string[],
): Promise<boolean> {
  const shown = names.slice(0, maxNamesShown)
  const more = names.length - shown.length
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: t('desktop.replaceFiles', [names.length], names.length),
    detail: `${t('desktop.inFolder', [printable(folder)])}\n${shown.map(printable).join(', ')}${more > 0 ? t('desktop.andMore', [more]) : ''}`,
    buttons: [t('desktop.replace'), t('desktop.cancel')],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}
