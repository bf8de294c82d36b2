import { dirname } from 'node:path'
import type { AppEvents } from '@shared/ipc'
import type { ChosenFiles } from '../files'
import type { KeptFile } from '../kept-sessions'
import type { HandlersOf, HandlerContext } from './context'

type SessionChannel = 'app.kept-sessions' | 'app.continue-session' | 'app.discard-session'

/** Results of earlier starts: resumed, or discarded. */
export function sessionHandlers({ files, sessions, window }: HandlerContext): HandlersOf<SessionChannel> {
  return {
    'app.kept-sessions': async () =>
      (await sessions.offered()).map(({ path, datasetId, runs, isCutOff, lastUsed }) => {
        const { name } = files.register(path)
        return { id: datasetId, name, folder: dirname(path), runs, isCutOff, lastUsed }
      }),
    'app.continue-session': async ({ id }) => {
      const offered = (await sessions.offered()).find(({ datasetId }) => datasetId === id)
      window.send('app.restore', wanted(files, sessions.continueWith(id), offered?.runs ?? 0))
      return null
    },
    'app.discard-session': async ({ id }) => {
      await sessions.discard(id)
      return null
    },
  }
}

/** What the program, or its page, was ended with comes back as it was read. */
export function restored(files: ChosenFiles, file: KeptFile): AppEvents['app.restore'] {
  return { ...files.register(file.path), overrides: file.overrides, byForce: true, runs: null }
}

function wanted(files: ChosenFiles, file: KeptFile, runs: number): AppEvents['app.restore'] {
  return { ...restored(files, file), byForce: false, runs }
}
