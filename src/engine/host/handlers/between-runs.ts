import type { TimingLock } from '@engine/benchmark/timing-lock'
import type { HostHandlers } from '../protocol'

type Channel = Extract<
  keyof HostHandlers,
  | 'dataset.preview'
  | `dataset.${'values' | 'histogram' | 'incomplete-rows' | 'filtered-rows' | 'categories' | 'category-codes' | 'rows' | 'cells'}`
  | `projection.${'fit' | 'values'}`
  | `run.${'labels' | 'labels-bytes' | 'iteration-labels' | 'trail' | 'compare'}`
  | `table.${'open' | 'rows' | 'row-indices' | 'position' | 'text'}`
  | 'dataset.row-numbers'
  | `run.${'profile' | 'silhouettes' | 'silhouette-values' | 'cross-table' | 'outliers' | 'distances'}`
  | 'scan.take'
  | `steps.${'open' | 'values' | 'labels'}`
  | `bench.${'outside' | 'markdown' | 'export'}`
  | 'generate.preview'
>

/**
 * What the window asks to look at, moved out of the runs that a comparison times: during one it waits for its end. What
 * can be cancelled while it waits (opening, exports, files that are made) waits by itself.
 */
export function betweenRuns(
  handlers: Pick<HostHandlers, Channel>,
  timingLock: Pick<TimingLock, 'shared'>,
): Pick<HostHandlers, Channel> {
  const later =
    <P, R>(work: (params: P) => R | Promise<R>) =>
    (params: P): Promise<R> =>
      timingLock.shared(async () => work(params))
  return {
    'dataset.preview': later(handlers['dataset.preview']),
    'dataset.values': later(handlers['dataset.values']),
    'dataset.histogram': later(handlers['dataset.histogram']),
    'dataset.incomplete-rows': later(handlers['dataset.incomplete-rows']),
    'dataset.filtered-rows': later(handlers['dataset.filtered-rows']),
    'dataset.categories': later(handlers['dataset.categories']),
    'dataset.category-codes': later(handlers['dataset.category-codes']),
    'dataset.rows': later(handlers['dataset.rows']),
    'dataset.cells': later(handlers['dataset.cells']),
    'projection.fit': later(handlers['projection.fit']),
    'projection.values': later(handlers['projection.values']),
    'run.labels': later(handlers['run.labels']),
    'run.labels-bytes': later(handlers['run.labels-bytes']),
    'run.iteration-labels': later(handlers['run.iteration-labels']),
    'run.trail': later(handlers['run.trail']),
    'run.compare': later(handlers['run.compare']),
    'table.open': later(handlers['table.open']),
    'table.rows': later(handlers['table.rows']),
    'table.row-indices': later(handlers['table.row-indices']),
    'table.position': later(handlers['table.position']),
    'table.text': later(handlers['table.text']),
    'dataset.row-numbers': later(handlers['dataset.row-numbers']),
    'run.profile': later(handlers['run.profile']),
    'run.silhouettes': later(handlers['run.silhouettes']),
    'run.silhouette-values': later(handlers['run.silhouette-values']),
    'run.cross-table': later(handlers['run.cross-table']),
    'run.outliers': later(handlers['run.outliers']),
    'run.distances': later(handlers['run.distances']),
    'scan.take': later(handlers['scan.take']),
    'steps.open': later(handlers['steps.open']),
    'steps.values': later(handlers['steps.values']),
    'steps.labels': later(handlers['steps.labels']),
    'bench.outside': later(handlers['bench.outside']),
    'bench.markdown': later(handlers['bench.markdown']),
    'bench.export': later(handlers['bench.export']),
    'generate.preview': later(handlers['generate.preview']),
  }
}
