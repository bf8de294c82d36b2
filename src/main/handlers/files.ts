import { LabError } from '@shared/errors'
import { chooseFolder, chooseTable } from '../dialogs'
import { knownDataset } from '../known-dataset'
import { hashFiles } from '../open-session'
import { chooseTableOrSession } from '../session-dialogs'
import type { HandlersOf, HandlerContext } from './context'
import { t } from '@shared/locale/translate'

type FileChannel =
  | 'app.choose-file'
  | 'app.choose-centroids'
  | 'app.choose-steps'
  | 'app.register-drop'
  | 'app.open'
  | 'app.open-steps'
  | 'app.preview'
  | 'app.cancel-open'
  | 'app.recent'
  | 'app.forget-recent'
  | 'app.samples'

/** Files and folders: chosen here, known to the page by token. */
export function fileHandlers(parts: HandlerContext): HandlersOf<FileChannel> {
  const { engine, files, window, sessions } = parts
  const choose = async (path: Promise<string | null>) => {
    const chosen = await path
    return chosen === null ? null : await files.choose(chosen)
  }
  return {
    'app.choose-file': () => choose(chooseTableOrSession(window.browser)),
    'app.choose-centroids': async () => {
      const path = await chooseTable(window.browser, t('desktop.openInitialCentroids'))
      return path === null ? null : files.register(path)
    },
    'app.choose-steps': () =>
      choose(chooseFolder(window.browser, t('desktop.openAFolderOfSteps'), t('desktop.open'))),
    'app.register-drop': ({ path }) => {
      if (path === '') throw noFile()
      return files.choose(path)
    },
    'app.open': async ({ token, overrides }) => {
      const path = files.path(token)
      const known = await knownDataset(sessions.current.datasets, path, overrides)
      const summary = await engine.open(path, overrides, known)
      const { bytes, sha256, modifiedMs } = summary.file
      const file = { id: summary.id, path, overrides, bytes, sha256, modifiedMs }
      sessions.opened(file)
      void hashFiles(parts, [file])
      files.remember(path)
      window.opened(summary.id, path)
      return summary
    },
    'app.open-steps': ({ token }) => engine.request('steps.open', { folder: files.path(token) }),
    'app.preview': ({ token, overrides }) =>
      engine.request('dataset.preview', { path: files.path(token), overrides }),
    'app.cancel-open': ({ token }) => engine.request('dataset.cancel-open', { path: files.path(token) }),
    'app.recent': () => files.recent(),
    'app.forget-recent': () => {
      files.forgetRecent()
      return null
    },
    'app.samples': () => files.samples(),
  }
}

function noFile(): LabError {
  return new LabError('input', 'drop.no-file', t('desktop.theDroppedItemIsNotA'))
}
