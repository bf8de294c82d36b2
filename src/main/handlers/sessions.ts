import { dirname } from 'node:path'
import { SignalsByRun } from '@engine/host/signals-by-run'
import { LabError } from '@shared/errors'
import type { SessionAppRequests } from '@shared/session-requests'
import { chooseMovedFile, chooseSession, confirmCloseDataset } from '../session-dialogs'
import {
  factsOf,
  locateDataset,
  mayLeave,
  fileStates,
  openedSession,
  openSessionFile,
  saveSession,
  sessionName,
} from '../open-session'
import type { HandlersOf, HandlerContext } from './context'
import { t } from '@shared/locale/translate'

type SessionChannel =
  | 'app.kept-sessions'
  | 'app.continue-session'
  | 'app.discard-session'
  | 'session.cancel'
  | keyof SessionAppRequests

/** The window has one, which is opened or saved. */
const session = 'session'

/** Sessions: opened, saved, resumed, or discarded. */
export function sessionHandlers(parts: HandlerContext): HandlersOf<SessionChannel> {
  const { engine, files, sessions, window } = parts
  const opening = new SignalsByRun()
  return {
    'app.kept-sessions': async () =>
      (await sessions.offered()).map(({ id, datasets, file, runs, isCutOff, lastUsed }) => ({
        ...{ id, runs, isCutOff, lastUsed, name: sessionName({ file, datasets }) },
        folder: dirname(file ?? datasets[0]?.path ?? ''),
      })),
    'app.continue-session': async ({ id }) => {
      if (!(await mayLeave(parts))) return null
      const states = await fileStates(parts, sessions.offeredOne(id).datasets)
      const restored = openedSession(parts, sessions.continueWith(id), states)
      window.send('app.restore', { session: restored, byForce: false })
      return null
    },
    'app.discard-session': async ({ id }) => {
      await sessions.discard(id)
      return null
    },
    'app.session-state': ({ state, unsaved }) => {
      sessions.report(state, unsaved)
      window.session(factsOf(sessions.current))
      const shown = sessions.current.datasets.find((each) => each.id === state.shown)
      if (shown !== undefined) window.opened(shown.id, shown.path)
      return null
    },
    'app.save-session': ({ state, as }) => saveSession(parts, state, as),
    'app.choose-session': async () => {
      const path = await chooseSession(window.browser)
      return path === null ? null : await files.choose(path)
    },
    'app.open-session': ({ token }) =>
      opening.during([session], (signal) => openSessionFile(parts, files.path(token), signal)),
    'session.cancel': (params) => {
      opening.abort(session)
      return engine.request('session.cancel', params)
    },
    'app.new-session': async () => {
      if (!(await mayLeave(parts))) return false
      sessions.begin()
      window.session(factsOf(sessions.current))
      return true
    },
    'app.show-dataset': async ({ datasetId }) => {
      const file = sessions.dataset(datasetId)
      const summary = await engine.open(file.path, file.overrides, datasetId)
      const sha256 = await engine.request('dataset.sha256', { datasetId }).catch(async (thrown: unknown) => {
        await engine.close(datasetId)
        throw thrown
      })
      const isOther = file.sha256 !== null && sha256 !== file.sha256
      if (isOther) {
        await engine.close(datasetId)
        throw changedFile(summary.file.name)
      }
      const { bytes, modifiedMs } = summary.file
      sessions.opened({ ...file, bytes, sha256, modifiedMs })
      window.opened(datasetId, file.path)
      return summary
    },
    'app.locate-dataset': async ({ datasetId }) => {
      const { path } = sessions.dataset(datasetId)
      const chosen = await chooseMovedFile(window.browser, dirname(path))
      return chosen === null ? null : await locateDataset(parts, datasetId, chosen)
    },
    'app.confirm-close-dataset': ({ name, runs }) => confirmCloseDataset(window.browser, name, runs),
  }
}

function changedFile(name: string): LabError {
  const message = t('desktop.isNotAsItWasWhen', [name])
  return new LabError('input', 'session.changed', message)
}
