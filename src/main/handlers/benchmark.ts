import { basename } from 'node:path'
import { readSuiteFile } from '@engine/benchmark/suite-file'
import { headedK } from '@engine/csv/headed-k'
import { tablesIn } from '@engine/csv/tables-in-folder'
import { benchmarkFileNames } from '@shared/benchmark/requests'
import { withFiles } from '@shared/benchmark/suite-paths'
import { chooseFolder, chooseSuite, chooseTarget } from '../dialogs'
import { DocumentTickets } from './document-tickets'
import type { HandlersOf, HandlerContext } from './context'
import { currentLanguage, t } from '@shared/locale/translate'

type BenchmarkChannel =
  | 'app.bench-plan'
  | 'app.bench-start'
  | 'app.bench-choose-folder'
  | 'app.bench-open-suite'
  | 'app.bench-export'
  | 'app.bench-document'
  | 'app.bench-document-part'

/** What is wrong with a file is said when it is planned. */
const ownK = (path: string): Promise<number | null> => headedK(path).catch(() => null)

/** Comparisons, where files are named: the page has tokens, the host paths. */
export function benchmarkHandlers({ engine, files, window }: HandlerContext): HandlersOf<BenchmarkChannel> {
  const { browser } = window
  const tickets = new DocumentTickets()
  const toPath = (token: string) => files.path(token)
  const toToken = (path: string) => files.register(path).token
  return {
    'app.bench-plan': ({ suite }) => engine.request('bench.plan', { suite: withFiles(suite, toPath) }),
    'app.bench-start': ({ suite }) => engine.request('bench.start', { suite: withFiles(suite, toPath) }),
    'app.bench-choose-folder': async () => {
      const folder = await chooseFolder(browser, t('desktop.chooseAFolderOfTables'), t('desktop.choose'))
      if (folder === null) return null
      const paths = await tablesIn(folder)
      const chosen = paths.map(async (path) => ({ ...(await files.choose(path)), k: await ownK(path) }))
      return { name: basename(folder), files: await Promise.all(chosen) }
    },
    'app.bench-open-suite': async () => {
      const path = await chooseSuite(browser)
      return path === null ? null : withFiles(await readSuiteFile(path), toToken)
    },
    'app.bench-export': async (request) => {
      const path = await chooseTarget(browser, benchmarkFileNames[request.what])
      return path === null
        ? null
        : await engine.request('bench.export', {
            ...request,
            language: currentLanguage(),
            path,
            replace: true,
          })
    },
    'app.bench-document': async (params) => {
      const { loadedFiles: _paths, ...document } = await engine.request('bench.document', params)
      return tickets.hold({ ...document, suite: withFiles(document.suite, toToken) })
    },
    'app.bench-document-part': ({ ticket, part }) => ({ text: tickets.part(ticket, part) }),
  }
}
