/** Stands in for Electron where main's handlers run without it: a person who always says the same. */
import { join } from 'node:path'

const folder = () => process.env['CENTROID_LAB_FUZZ_FOLDER'] ?? '/nowhere'
const chosen = () => join(folder(), 'chosen.csv')

export const dialog = {
  showOpenDialog: () => Promise.resolve({ canceled: false, filePaths: [chosen()] }),
  showSaveDialog: () => Promise.resolve({ canceled: false, filePath: chosen() }),
  showMessageBox: () => Promise.resolve({ response: 0 }),
  showErrorBox: () => undefined,
}
export const app = {
  isPackaged: false,
  getPath: () => folder(),
  getAppPath: () => process.cwd(),
  getVersion: () => '0.0.0',
  on: () => undefined,
}
export const clipboard = { writeText: () => undefined, writeImage: () => undefined }
export const nativeImage = { createFromBuffer: () => ({ isEmpty: () => false }) }
export const nativeTheme = { themeSource: 'system' }
export const ipcMain = { handle: () => undefined }
export const session = {}
export const protocol = {}
export const crashReporter = { start: () => undefined }
