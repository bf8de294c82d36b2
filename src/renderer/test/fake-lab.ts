/** A `window.lab` that clusters blobs by itself: enough to see and test every state of the window. */
import { LabError, toErrorReport, type ErrorReport } from '@shared/errors'
import type { Answer, AppEvents, WindowApi, WindowRequests } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import { engineReports, iterationRow, preview, record, summary } from './fixtures'

export interface FakeOptions {
  readonly rows: number
  /** Answers instead of the built-in ones. */
  readonly answers?: Partial<{
    [K in keyof WindowRequests]: (params: WindowRequests[K]['params']) => unknown
  }>
}

export interface FakeLab extends WindowApi {
  emit<K extends keyof AppEvents>(channel: K, payload: AppEvents[K]): void
  readonly asked: { channel: string; params: unknown }[]
}

const centres = [
  [5, 3.4, 1.5, 0.25],
  [5.9, 2.7, 4.4, 1.4],
  [6.9, 3.1, 5.7, 2.1],
] as const

/** A small repeatable sequence in -1..1, bell-shaped. */
function noise(seed: number): number {
  const one = (step: number): number => {
    const value = Math.sin(seed * 12.9898 + step * 78.233) * 43758.5453
    return value - Math.floor(value)
  }
  return (one(1) + one(2) + one(3)) * (2 / 3) - 1
}

/** Rows of the made-up file: four numbers, and the species where the file is read again. */
function rowsOf(rows: readonly number[], texts: boolean) {
  return rows.map((row) => ({
    row,
    fileRow: row + 2,
    cells: [...(centres[row % 3] ?? centres[0]), texts ? `species ${row % 3}` : null],
  }))
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The record of a made-up run that says what the configuration asked for. */
function resultOf(rows: number, config: RunConfig, runId: string) {
  const base = record()
  const clusters = Array.from({ length: config.k }, (_, cluster) => ({
    cluster,
    size: Math.floor(rows / config.k),
    inertia: 20 + cluster,
    centroid: (centres[cluster % 3] ?? centres[0]).map((value, i) => value + 0.3 * noise(cluster * 7 + i)),
  }))
  const iterations = Math.min(12, config.maxIterations)
  const history = Array.from({ length: iterations }, (_, i) => iterationRow(i + 1, 79 + 60 / (i + 1) ** 2))
  return { ...base, id: runId, config, n: rows, k: config.k, clusters, history, iterations }
}

const usualScratch = '/home/me/.cache/centroid-lab/scratch'

export function fakeLab(options: FakeOptions): FakeLab {
  let memory = {
    ...{ memoryLimit: '', deviceMemory: '', scratchFolder: usualScratch, isChosen: false },
    heldFolder: null as string | null,
  }
  const { rows } = options
  const listeners = new Map<string, Set<(payload: never) => void>>()
  const asked: FakeLab['asked'] = []
  const cancelledRuns = new Set<string>()
  let runs = 0

  const emit: FakeLab['emit'] = (channel, payload) => {
    for (const listener of listeners.get(channel) ?? []) listener(payload as never)
  }

  async function play(runId: string, config: RunConfig): Promise<void> {
    const done = resultOf(rows, config, runId)
    emit('run.event', { kind: 'phase', runId, phase: 'seeding', restart: 0 })
    for (const row of done.history) {
      await wait(120)
      if (cancelledRuns.has(runId)) return emit('run.event', { kind: 'cancelled', runId })
      const centroids = Float64Array.from(done.clusters.flatMap(({ centroid }) => centroid))
      const where = { restart: 0, engine: 'cpu', device: 'cpu', variant: 'fused' } as const
      emit('run.event', {
        kind: 'iterations',
        runId,
        rows: [row],
        centroids,
        elapsedMs: 120,
        threshold: 0,
        ...where,
      })
    }
    emit('run.event', { kind: 'done', runId, record: done })
  }

  const answers: { [K in keyof WindowRequests]?: (params: WindowRequests[K]['params']) => unknown } = {
    'app.memory': () => memory,
    'app.set-memory': (limits) => (memory = { ...memory, ...limits }),
    'app.choose-scratch': ({ usual }) =>
      (memory = { ...memory, isChosen: !usual, scratchFolder: usual ? usualScratch : '/data/scratch' }),
    'run.memory': () => ({ pointsIn: 'memory', sentence: 'The points lie in memory.' }),
    'app.settings': () => ({}),
    'app.save-settings': () => null,
    'app.host-state': () => ({ state: 'ready', pid: 1 }),
    'app.samples': () => [
      { token: 's1', name: 'iris.csv', description: 'Iris flowers: 150 rows, 4 features' },
      { token: 's2', name: 'penguins.csv', description: 'Palmer penguins: 344 rows, with missing cells' },
      { token: 's3', name: 'blobs.txt', description: 'Headed N / n / k format: 2 000 points, 5 clusters' },
    ],
    'app.recent': () => [
      { token: 'r1', name: 'measurements 2024.csv', folder: '/home/ada/data', kind: 'file' },
    ],
    'app.kept-sessions': () => [],
    'app.session-state': () => null,
    'app.save-session': () => ({ name: 'study.clab', unsaved: false }),
    'app.new-session': () => true,
    'app.confirm-close-dataset': () => true,
    'app.show-dataset': ({ datasetId }) => summary({ id: datasetId, rows }),
    'run.listed': () => [],
    'run.record': ({ runId }) => record({ id: runId }),
    'app.choose-file': () => ({ token: 's1', name: 'iris.csv', kind: 'file' }),
    'app.choose-centroids': () => ({ token: 'c1', name: 'centroids.csv', kind: 'file' }),
    'app.ready': () => null,
    'app.menu-state': () => null,
    'app.copy': () => null,
    'app.cancel-open': () => null,
    'app.preview': () => preview(),
    'app.forget-recent': () => null,
    'dataset.histogram': ({ bins }) => ({
      min: 0,
      max: 1,
      counts: Array.from({ length: bins }, (_, bin) => 1 + bin * (bins - 1 - bin)),
    }),
    'app.export': ({ kind }) => ({ path: `/home/ada/${kind}.csv`, bytes: 4321 }),
    'app.open': async ({ token }) => {
      if (token === 's2')
        throw new LabError('input', 'csv.empty', 'penguins.csv is empty; choose another file.', 'at 0')
      await wait(rows > 1000 ? 600 : 10)
      return summary({ id: `data-${token}`, rows })
    },
    'dataset.close': () => null,
    'dataset.values': ({ column, start, count }) => ({
      values: Float32Array.from({ length: count }, (_, i) => {
        const row = start + i
        return (centres[row % 3]?.[column] ?? 0) + 0.6 * noise(row * 4 + column) - 3
      }),
      offset: 3,
      exponent: 0,
    }),
    'engines.list': () => engineReports,
    'run.start': ({ config }) => {
      const runId = `run-${++runs}`
      setTimeout(() => void play(runId, config), 5)
      return { runId }
    },
    'run.cancel': ({ runId }) => {
      cancelledRuns.add(runId)
      return null
    },
    'run.labels': ({ start, count }) => ({
      labels: Int32Array.from({ length: count }, (_, i) => (start + i) % 3),
    }),
    'run.labels-bytes': ({ start, count }) => ({
      labels: Uint8Array.from({ length: count }, (_, i) => (start + i) % 3),
    }),
    'run.kept': () => [],
    'run.forget': () => null,
    'run.broken': () => null,
    'run.iteration-labels': ({ iteration, start, count }) => ({
      labels: Int32Array.from({ length: count }, (_, i) => (start + i + iteration) % 3),
    }),
    'run.trail': ({ start, count, axes }) => ({
      kept: 13,
      values: Float64Array.from(
        { length: Math.max(0, Math.min(count, 13 - start)) * 3 * axes.length },
        (_, i) => start + i,
      ),
    }),
    'projection.fit': () => ({
      id: 'projection-1',
      n: rows,
      d: 4,
      explained: [0.9246, 0.053, 0.0172, 0.0052],
      exponent: 0,
      ranges: Array.from({ length: 4 }, () => ({ min: -4, max: 4 })),
      map: {
        offset: [5.8, 3, 3.7, 1.2],
        weights: Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0)),
      },
    }),
    'projection.values': ({ component, start, count }) => ({
      values: Float32Array.from({ length: count }, (_, i) => 4 * noise((start + i) * 11 + component)),
    }),
    'projection.close': () => null,
    'dataset.rows': ({ rows: wanted }) => rowsOf(wanted, false),
    'dataset.cells': ({ rows: wanted }) => rowsOf(wanted, true),
    ...options.answers,
  }

  return {
    emit,
    asked,
    async invoke<K extends keyof WindowRequests>(channel: K, params: WindowRequests[K]['params']) {
      // The bridge of the real window refuses what cannot be cloned, reactive proxies among it.
      asked.push({ channel, params: structuredClone(params) })
      try {
        const answer = answers[channel]
        if (!answer) throw new LabError('internal', 'fake', `No answer for ${channel}.`)
        return { ok: true, value: await answer(params) } as Answer<WindowRequests[K]['result']>
      } catch (thrown) {
        const error: ErrorReport = toErrorReport(thrown)
        return { ok: false, error }
      }
    },
    on(channel, listener) {
      const set = listeners.get(channel) ?? new Set()
      set.add(listener as (payload: never) => void)
      listeners.set(channel, set)
      return () => void set.delete(listener as (payload: never) => void)
    },
    registerDrop: (file) =>
      Promise.resolve({ ok: true, value: { token: 'd1', name: file.name, kind: 'file' } }),
  }
}
