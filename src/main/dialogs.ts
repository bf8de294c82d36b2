import { dialog, type BrowserWindow } from 'electron'

const tables = { name: 'Tables', extensions: ['csv', 'tsv', 'txt', 'dat', 'data'] }
const everything = { name: 'All files', extensions: ['*'] }

/** Lets the person choose a table; null when the dialog was closed. */
export async function chooseTable(window: BrowserWindow, title: string): Promise<string | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    properties: ['openFile'],
    filters: [tables, everything],
  })
  return canceled ? null : (filePaths[0] ?? null)
}

/** Lets the person name a file to write; the dialog itself asks before an existing one is replaced. */
export async function chooseTarget(window: BrowserWindow, proposed: string): Promise<string | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: `Export ${proposed}`,
    defaultPath: proposed,
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  })
  return canceled || !filePath ? null : filePath
}
