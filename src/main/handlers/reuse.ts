import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { assignmentsFileName } from '@shared/export-files'
import { chooseTarget } from '../dialogs'
import type { HandlersOf, HandlerContext } from './context'

type ReuseChannel =
  'app.predict' | 'app.export-assignments' | 'app.verify' | 'app.describe-run' | 'app.verify-file'

/** Files beside a run.json that are looked at for its data. */
const maxBeside = 5000

/** Results used again: main knows where files lie, the engine host what they are. */
export function reuseHandlers({ engine, files, window }: HandlerContext): HandlersOf<ReuseChannel> {
  const recent = () => files.recent().map(({ token }) => files.path(token))
  const named = (token: string | null) => (token === null ? [] : [files.path(token)])
  return {
    'app.predict': ({ token, ...params }) =>
      engine.request('predict.rows', { ...params, path: files.path(token) }),
    'app.export-assignments': async (params) => {
      const path = await chooseTarget(window.browser, assignmentsFileName)
      return path === null
        ? null
        : await engine.request('export.assignments', { ...params, path, replace: true })
    },
    'app.verify': ({ data, ...params }) =>
      engine.request('verify.run', { ...params, data: [...named(data), ...recent()] }),
    'app.describe-run': ({ token }) => engine.request('verify.describe', { path: files.path(token) }),
    'app.verify-file': async ({ taskId, token, data }) => {
      const path = files.path(token)
      const candidates = [...named(data), ...(await filesBeside(path)), ...recent()]
      const found = await engine.request('verify.file', { taskId, path, data: candidates })
      return { verification: found.verification, dataName: basename(found.dataPath) }
    },
  }
}

/** Only those of the right size are read. */
async function filesBeside(path: string): Promise<readonly string[]> {
  const folder = dirname(path)
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return names.slice(0, maxBeside).map((name) => join(folder, name))
}
