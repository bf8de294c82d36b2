import { app, clipboard, nativeTheme } from 'electron'
import { LabError } from '@shared/errors'
import { exportFileNames } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import { chooseTable, chooseTarget } from './dialogs'
import type { EngineProcess } from './engine-process'
import type { ChosenFiles } from './files'
import type { WindowHandlers } from './ipc'
import type { SettingsStore } from './settings'
import type { MainWindow } from './window'

export interface Parts {
  readonly engine: EngineProcess
  readonly files: ChosenFiles
  readonly settings: SettingsStore
  readonly window: MainWindow
}

/** What main answers to the window; everything about data goes on to the engine host. */
export function windowHandlers({ engine, files, settings, window }: Parts): WindowHandlers {
  const choose = async (title: string) => {
    const path = await chooseTable(window.browser, title)
    return path === null ? null : files.register(path)
  }
  return {
    'app.choose-file': () => choose('Open a table'),
    'app.choose-centroids': () => choose('Open initial centroids'),
    'app.register-drop': ({ path }) => {
      if (path === '') throw noFile()
      return files.register(path)
    },
    'app.open': async ({ token, overrides }) => {
      const path = files.path(token)
      const summary = await engine.open(path, overrides)
      files.remember(path)
      return summary
    },
    'app.preview': ({ token, overrides }) =>
      engine.request('dataset.preview', { path: files.path(token), overrides }),
    'app.cancel-open': ({ token }) => engine.request('dataset.cancel-open', { path: files.path(token) }),
    'app.recent': () => files.recent(),
    'app.samples': () => files.samples(),
    'app.export': async ({ runId, kind }) => {
      const path = await chooseTarget(window.browser, exportFileNames[kind])
      return path === null ? null : await engine.request('export.write', { runId, kind, path, replace: true })
    },
    'app.settings': () => settings.get(),
    'app.save-settings': ({ settings: changes }) => {
      if (changes.theme) nativeTheme.themeSource = changes.theme
      settings.save(changes)
      return null
    },
    'app.host-state': () => engine.state,
    'app.copy': ({ text }) => {
      clipboard.writeText(text)
      return null
    },
    'app.ready': () => {
      window.pageIsReady()
      return null
    },
    'app.about': () => ({ versions: versions() }),
    'dataset.close': ({ datasetId }) => engine.close(datasetId),
    'dataset.values': (params) => engine.request('dataset.values', params),
    'engines.list': (params) => engine.request('engines.list', params),
    'run.start': ({ datasetId, config }) =>
      engine.request('run.start', { datasetId, config: withCentroidPath(config, files) }),
    'run.cancel': (params) => engine.request('run.cancel', params),
    'run.labels': (params) => engine.request('run.labels', params),
    'run.forget': (params) => engine.request('run.forget', params),
  }
}

function noFile(): LabError {
  return new LabError(
    'input',
    'drop.no-file',
    'What was dropped is no file on a disk: save it as a file first, then drop that.',
  )
}

/** The page names the centroid file by its token. */
function withCentroidPath(config: RunConfig, files: ChosenFiles): RunConfig {
  const { centroidsFile } = config
  return centroidsFile === null ? config : { ...config, centroidsFile: files.path(centroidsFile) }
}

function versions(): Record<string, string> {
  const { electron = '', chrome = '', node } = process.versions
  return { 'Centroid Lab': app.getVersion(), Electron: electron, Chromium: chrome, 'Node (window)': node }
}
