import { asOnlyWriter } from '@engine/export/folder-lock'
import { SignalsByRun } from '@engine/host/signals-by-run'
import { exportFileNames } from '@shared/ipc'
import { scanFileName } from '@shared/scan'
import { chooseFolder, chooseTarget, confirmReplace } from '../dialogs'
import { existingTargets, exportAll, fileNames, isStepFile, writePlot } from '../export-all'
import type { HandlersOf, HandlerContext } from './context'
import { currentLanguage, t } from '@shared/locale/translate'

type ExportChannel =
  | 'app.export'
  | 'app.export-steps'
  | 'app.export-timings'
  | 'app.export-scan'
  | 'app.export-all'
  | 'app.save-plot'
  | 'export.cancel'

/** Everything that is written to a disk goes where a dialog said, and replaces nothing without a question. */
export function exportHandlers({ engine, window }: HandlerContext): HandlersOf<ExportChannel> {
  const { browser } = window
  const running = new SignalsByRun()
  /** A folder and whether to replace what is there; null when the person turned back. */
  const chooseTargets = async (title: string, isTarget: (name: string) => boolean) => {
    const folder = await chooseFolder(browser, title, t('desktop.export2'))
    if (folder === null) return null
    const existing = await existingTargets(folder, isTarget)
    const go = existing.length === 0 || (await confirmReplace(browser, folder, existing))
    return go ? { folder, replace: existing.length > 0 } : null
  }
  return {
    'app.export': async ({ kind, ...request }) => {
      const path = await chooseTarget(browser, window.proposedName(exportFileNames[kind]))
      return path === null
        ? null
        : await engine.request('export.write', {
            ...request,
            language: currentLanguage(),
            kind,
            path,
            replace: true,
          })
    },
    'app.export-steps': async (request) => {
      const targets = await chooseTargets(t('desktop.exportStepsIntoAFolder'), isStepFile)
      if (targets === null) return null
      const write = () => engine.request('export.steps', { ...request, ...targets })
      const { files } = await asOnlyWriter(targets.folder, write)
      return { folder: targets.folder, files: files.length }
    },
    'app.export-timings': async (request) => {
      const path = await chooseTarget(browser, window.proposedName(fileNames.timings))
      return path === null
        ? null
        : await engine.request('export.timings', { ...request, path, replace: true })
    },
    'app.export-scan': async (request) => {
      const path = await chooseTarget(browser, scanFileName)
      return path === null ? null : await engine.request('export.scan', { ...request, path, replace: true })
    },
    'app.export-all': async (request) => {
      const names = new Set(fileNames.all(request.plots))
      const targets = await chooseTargets(
        t('desktop.exportEverythingIntoAFolder'),
        (name) => names.has(name) || isStepFile(name),
      )
      if (targets === null) return null
      return await running.during([request.runId], (signal) =>
        exportAll(engine, { ...request, language: currentLanguage(), ...targets }, signal),
      )
    },
    'app.save-plot': async (plot) => {
      const path = await chooseTarget(browser, window.proposedName(fileNames.plot(plot)))
      return path === null ? null : await writePlot(plot, path, true, new AbortController().signal)
    },
    'export.cancel': (params) => {
      running.abort(params.runId)
      return engine.request('export.cancel', params)
    },
  }
}
