import type { HostParams, HostChannel } from '@engine/host/protocol'
import { defaultGeneratorSpec } from '@shared/generator'
import type { SavedDataset, SessionRun, SessionState } from '@shared/session'
import type { AppRequests } from '@shared/ipc'
import { defaultRunConfig } from '@shared/run-config'
import { wholeTable } from '@shared/table'
import type { Suite } from '@shared/benchmark/suite'

/** What good messages name. */
export interface Names {
  readonly datasetId: string
  readonly runId: string
  /** A path that was chosen, and its token. */
  readonly path: string
  readonly token: string
}

const config = { ...defaultRunConfig, engine: 'cpu', variant: 'fused', maxIterations: 5 } as const
const scan = { kMin: 2, kMax: 3, restarts: 2, indices: ['silhouette'], silhouette: 'auto' } as const
const overrides = { delimiter: ',', header: true, columnTypes: { 0: 'numeric' } } as const
const spec = { ...defaultGeneratorSpec, n: 20 }
const png = Uint8Array.of(137, 80, 78, 71)
const plots = [{ name: 'clusters', format: 'png', bytes: png }] as const
const titled = [{ ...plots[0], title: 'Clusters' }] as const

function suiteOf({ datasetId, path }: Names): Suite {
  return {
    format: 1,
    name: 'all',
    description: '',
    scale: 1,
    cases: [
      { dataset: { kind: 'loaded', datasetId, name: 'a' }, k: [2, 3] },
      { dataset: { kind: 'file', path, name: 'b', overrides: {} }, k: [2] },
      { dataset: { kind: 'generated', spec, name: 'c' }, k: [2] },
    ],
    contenders: [{ kind: 'variant', engine: 'cpu', variant: 'fused', device: null }],
    config,
    timing: 'total',
    warmup: 0,
    repeats: 1,
    baseline: 'fused/cpu',
    publication: null,
  }
}

/** A good message for each request of the engine host. */
export function hostMessages(names: Names): { readonly [K in HostChannel]: HostParams<K> } {
  const { datasetId, runId, path } = names
  const chunk = { start: 0, count: 10 }
  const projectionId = 'projection'
  const benchId = 'comparison'
  const stepsId = 'steps'
  const tableId = 'table'
  const scanId = 'scan'
  const baseline = 'fused/cpu'
  return {
    'dataset.preview': { path, overrides },
    'dataset.open': { path, overrides },
    'dataset.sha256': { datasetId },
    'dataset.cancel-open': { path },
    'dataset.close': { datasetId: 'another' },
    'dataset.values': { datasetId, column: 0, ...chunk },
    'dataset.histogram': { datasetId, column: 0, bins: 10 },
    'dataset.incomplete-rows': { datasetId, features: [0, 1], filter: null },
    'dataset.filtered-rows': {
      datasetId,
      filter: { join: 'any', parts: [{ kind: 'between', column: 'x', low: '0', high: '1' }] },
    },
    'dataset.categories': { datasetId, column: 1 },
    'dataset.category-codes': { datasetId, column: 1, start: 0, count: 5 },
    'dataset.rows': { datasetId, rows: [0, 1] },
    'dataset.cells': { datasetId, rows: [0, 1] },
    'projection.fit': { datasetId, features: null, missing: 'drop', scaling: 'none' },
    'projection.values': { projectionId, component: 0, ...chunk },
    'projection.close': { projectionId },
    'engines.list': {},
    'run.start': { datasetId, config },
    'run.memory': { datasetId, config },
    'run.cancel': { runId },
    'run.labels': { runId, ...chunk },
    'run.labels-bytes': { runId, ...chunk },
    'run.iteration-labels': { runId, iteration: 1, ...chunk },
    'run.trail': { runId, ...chunk, axes: [{ kind: 'feature', feature: 0 }] },
    'run.compare': { a: runId, b: runId },
    'run.kept': { datasetId },
    'run.forget': { runId: 'another' },
    'run.resume': { runId: 'another', engine: 'cpu' },
    'run.broken': { datasetId },
    'export.write': { runId, kind: 'labels', path, replace: true },
    'export.steps': { runId, folder: path, steps: 2, replace: true },
    'export.timings': { runIds: [runId], path, replace: true },
    'export.cancel': { runId },
    'predict.rows': { taskId: 'task', runId, path },
    'predict.close': { predictionId: runId },
    'export.assignments': { predictionId: runId, path, replace: true },
    'verify.run': { taskId: 'task', runId, data: [path] },
    'verify.describe': { path },
    'verify.file': { taskId: 'task', path, data: [path] },
    'reuse.cancel': { taskId: 'task' },
    'run.python': { runId },
    'steps.open': { folder: path },
    'steps.values': { stepsId, step: 0, feature: 0, ...chunk },
    'steps.labels': { stepsId, step: 0, ...chunk },
    'steps.close': { stepsId },
    'host.memory': { memoryLimit: '1 GiB', deviceMemory: '', scratchFolder: '' },
    'host.sleep': { asleep: false },
    'host.ping': {},
    'bench.presets': { scale: 0.001 },
    'bench.outside': {},
    'bench.plan': { suite: suiteOf(names) },
    'bench.start': { suite: suiteOf(names) },
    'bench.pause': { benchId },
    'bench.resume': { benchId },
    'bench.cancel': { benchId },
    'bench.list': {},
    'bench.document': { benchId },
    'bench.forget': { benchId },
    'bench.markdown': { benchId, baseline, language: 'pl' },
    'bench.export': { benchId, what: 'timings', baseline, plots: titled, path, replace: true },
    'scan.start': { datasetId, config: { ...scan, run: config } },
    'scan.cancel': { scanId },
    'scan.resume': { scanId },
    'scan.record': { scanId },
    'scan.list': { datasetId },
    'scan.take': { scanId, k: 2 },
    'scan.forget': { scanId: 'another' },
    'export.scan': { scanId, path, replace: true },
    'run.profile': { runId, ...chunk },
    'run.cancel-profile': { runId },
    'run.silhouettes': { runId, extent: 'auto' },
    'run.cancel-silhouettes': { runId },
    'run.silhouette-values': { runId, ...chunk },
    'run.cross-table': { runId, column: 1 },
    'run.outliers': { runId, cluster: null, count: 10 },
    'run.distances': { runId, ...chunk },
    'generate.preview': { spec, count: 10 },
    'generate.write': { spec, format: 'csv', path, replace: true },
    'generate.cancel': {},
    'table.open': {
      datasetId,
      runId: null,
      sort: { key: { by: 'column', column: 1 }, descending: true },
      filter: { ...wholeTable, distance: { least: 0, most: null }, picked: '2-51,60' },
    },
    'table.rows': { tableId, ...chunk, columns: { first: 0, end: 2 } },
    'table.row-indices': { tableId, ...chunk },
    'table.position': { tableId, row: 3 },
    'table.text': { tableId, rows: Uint32Array.of(0, 3) },
    'table.close': { tableId },
    'dataset.row-numbers': { datasetId, rows: Uint32Array.of(0, 3) },
    'session.write': { path: `${path}.clab`, shown: datasetId, datasets: [savedDataset(names)] },
    'session.read': { path: `${path}.clab` },
    'session.cancel': {},
    'session.check': { files: [{ id: datasetId, path, bytes: 3, sha256: null, modifiedMs: 0 }] },
    'session.find': { folder: '/nowhere', files: [{ id: datasetId, bytes: 3, sha256: 'a'.repeat(64) }] },
    'session.discard': { datasetIds: ['another'] },
    'run.listed': { datasetIds: [datasetId] },
    'run.record': { runId },
  }
}

function sessionRun(runId: string): SessionRun {
  return {
    id: runId,
    number: 1,
    note: 'a note',
    looks: [{ cluster: 0, name: 'a' }],
    slots: null,
    silhouette: null,
  }
}

function savedDataset({ datasetId, path, runId }: Names): SavedDataset {
  const file = { path, bytes: 3, sha256: null, modifiedMs: 0, overrides }
  return { id: datasetId, view: null, runs: [sessionRun(runId)], ...file }
}

function sessionState({ datasetId, runId }: Names): SessionState {
  return { shown: datasetId, datasets: [{ id: datasetId, view: null, runs: [sessionRun(runId)] }] }
}

/** A good message for each request that main answers itself; files are named by token. */
export function appMessages(names: Names): { readonly [K in keyof AppRequests]: AppRequests[K]['params'] } {
  const { runId, token } = names
  const suite = suiteOf({ ...names, path: token })
  const bench = { benchId: 'comparison', what: 'timings', baseline: 'fused/cpu', plots: titled } as const
  return {
    'app.choose-file': {},
    'app.choose-centroids': {},
    'app.open': { token, overrides },
    'app.preview': { token, overrides },
    'app.cancel-open': { token },
    'app.register-drop': { path: names.path },
    'app.forget-recent': {},
    'app.choose-steps': {},
    'app.open-steps': { token },
    'app.recent': {},
    'app.samples': {},
    'app.export': { runId, kind: 'labels' },
    'app.export-steps': { runId, steps: 2 },
    'app.export-timings': { runIds: [runId] },
    'app.export-all': { runId, runIds: [runId], steps: 2, plots },
    'app.save-plot': plots[0],
    'app.copy-image': { png },
    'app.memory': {},
    'app.set-memory': { memoryLimit: '1.5G', deviceMemory: '' },
    'app.choose-scratch': { usual: true },
    'app.settings': {},
    'app.save-settings': { settings: { theme: 'dark', lastConfig: config, view: 'clusters', stepCount: 3 } },
    'app.host-state': {},
    'app.start-engine': {},
    'app.copy': { text: 'text' },
    'app.menu-state': { enabled: ['run'] },
    'app.ready': {},
    'app.about': {},
    'app.kept-sessions': {},
    'app.continue-session': { id: names.datasetId },
    'app.discard-session': { id: 'discarded' },
    'app.session-state': { state: sessionState(names), unsaved: true },
    'app.save-session': { state: sessionState(names), as: false },
    'app.choose-session': {},
    'app.open-session': { token },
    'app.new-session': {},
    'app.show-dataset': { datasetId: names.datasetId },
    'app.locate-dataset': { datasetId: names.datasetId },
    'app.confirm-close-dataset': { name: 'data.csv', runs: 2 },
    'app.bench-plan': { suite },
    'app.bench-start': { suite },
    'app.bench-choose-folder': {},
    'app.bench-open-suite': {},
    'app.bench-document': { benchId: bench.benchId },
    'app.bench-document-part': { ticket: 1, part: 0 },
    'app.bench-export': bench,
    'app.export-scan': { scanId: 'scan' },
    'app.generate': { spec, format: 'csv' },
    'app.predict': { taskId: 'task', runId, token },
    'app.export-assignments': { predictionId: runId },
    'app.verify': { taskId: 'task', runId, data: token },
    'app.describe-run': { token },
    'app.verify-file': { taskId: 'task', token, data: null },
  }
}
