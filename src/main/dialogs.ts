import { extname } from 'node:path'
import { dialog, type BrowserWindow, type FileFilter } from 'electron'
import { tableEndings } from '@engine/csv/tables-in-folder'
import { sessionEnding } from '@shared/session'
import { printable } from '@shared/printable'

const tables = { name: 'Tables', extensions: [...tableEndings] }
const sessions = { name: 'Sessions', extensions: [sessionEnding.slice(1)] }
const openable = { name: 'Tables and sessions', extensions: [...tableEndings, sessionEnding.slice(1)] }
const suites = { name: 'Comparisons', extensions: ['json'] }
const everything = { name: 'All files', extensions: ['*'] }

/** What a file to be written is, by its ending. */
const writtenTypes: Readonly<Record<string, string>> = {
  '.csv': 'Comma-separated values',
  '.json': 'JSON document',
  '.png': 'PNG picture',
  '.svg': 'SVG drawing',
  '.html': 'Web page',
  '.xlsx': 'Excel workbook',
  '.txt': 'Text table',
}
const maxNamesShown = 8

/** Lets the person choose a table; null when the dialog was closed. */
export async function chooseTable(
  window: BrowserWindow,
  title: string,
  folder?: string,
): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    ...(folder !== undefined && { defaultPath: folder }),
    properties: ['openFile'],
    filters: [tables, everything],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person choose what is opened; null when the dialog was closed. */
export async function chooseTableOrSession(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open a table or a session',
    properties: ['openFile'],
    filters: [openable, tables, sessions, everything],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person choose a .clab; null when the dialog was closed. */
export async function chooseSession(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open a session',
    properties: ['openFile'],
    filters: [sessions, everything],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person name the .clab of a session; the dialog itself asks before an existing one is replaced. */
export async function chooseSessionTarget(window: BrowserWindow, proposed: string): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: 'Save the session',
    defaultPath: proposed,
    filters: [sessions, everything],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  })
  return canceled || !filePath ? null : filePath
}

/** Asks what becomes of runs that no .clab has; Escape goes on as before. */
export async function askToSave(window: BrowserWindow, name: string): Promise<'save' | 'leave' | 'cancel'> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `Save the session ${printable(name)}?`,
    detail:
      'It has runs or notes that are not saved. Without saving they stay on this computer, and the first screen offers them until you discard them.',
    buttons: ['Save', "Don't save", 'Cancel'],
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
    message: names.length === 1 ? '1 file was moved' : `${names.length} files were moved`,
    detail: `${listed(names)} ${names.length === 1 ? 'is' : 'are'} not where this session had ${names.length === 1 ? 'it' : 'them'}. Choose a folder: files in it, and in the folders below, are recognised by their contents.`,
    buttons: ['Choose a folder…', 'Open without'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  })
  if (response !== 0) return null
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Where the files are now',
    buttonLabel: 'Look here',
    defaultPath: near,
    properties: ['openDirectory'],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Asks before runs go; whoever only presses Enter keeps them. */
export async function confirmCloseDataset(
  window: BrowserWindow,
  name: string,
  runs: number,
): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: `Close ${printable(name)} and delete its ${runs === 1 ? 'run' : `${runs} runs`}?`,
    detail: 'The data file stays. The runs leave this session.',
    buttons: ['Close and delete', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNamesShown).map(printable).join(', ')
  const more = names.length - maxNamesShown
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** Lets the person choose a SUITE.json; null when the dialog was closed. */
export async function chooseSuite(window: BrowserWindow): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open a comparison',
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
    title: `Export ${proposed}`,
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
    message: names.length === 1 ? 'Replace 1 file?' : `Replace ${names.length} files?`,
    detail: `In ${printable(folder)}:\n${shown.map(printable).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    buttons: ['Replace', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}
