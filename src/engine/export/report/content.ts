import type { FactGroup } from '../page/page'
import { machineDescription } from '@shared/benchmark/machine-text'
import { significant } from '@shared/benchmark/significant'
import type { SvgFigure } from '@shared/benchmark/figures'
import type { Table } from '@shared/benchmark/table'
import { programName, runCommandLine, shellText } from '@shared/command-line'
import { calinskiHarabasz, daviesBouldin } from '@shared/metrics/dispersion'
import { formatBytes, formatCount, formatDuration, plural } from '@shared/quantity-words'
import { filterText } from '@shared/row-filter/filter-text'
import type { RunRecord } from '@shared/run-record'
import { dispersionOf } from '../../quality/dispersion'
import { nearestClusters } from '../../quality/nearest-clusters'
import { profilesOf, type Profiles } from '../../quality/profiles'
import { hasSilhouette, silhouettesOf, type PointSilhouettes } from '../../quality/silhouettes'
import type { RunResult } from '../../run/types'
import { Slices } from '../../slices'
import { clusterTable } from './cluster-table'
import { profileTable } from './profile-table'
import { scatterFigure } from './scatter'

/** What the report of a clustering says, before it is HTML or Markdown. */
export interface ReportContent {
  readonly title: string
  readonly lead: string
  readonly warnings: readonly string[]
  readonly groups: readonly FactGroup[]
  readonly figures: readonly SvgFigure[]
  readonly tables: readonly Table[]
  /** What repeats the run, as a shell takes it. */
  readonly commandLine: string
}

/** Numbers about a result that a report tells. */
export interface Judgement {
  readonly profiles: Profiles
  /** Null where a silhouette is not defined. */
  readonly silhouettes: PointSilhouettes | null
  /** (k) see `nearestClusters`. */
  readonly nearest: Int32Array
  readonly calinskiHarabasz: number | null
  readonly daviesBouldin: number | null
}

/** Computes what is told of the clusters: O(n d), and silhouettes within their own limits. @throws LabError `cancelled` */
export async function reportContent(result: RunResult, signal: AbortSignal): Promise<ReportContent> {
  const { record } = result
  const judgement = await judged(result, signal)
  return {
    title: `Clusters of ${record.file.name}`,
    lead: leadOf(record),
    warnings: record.warnings,
    groups: [
      { title: 'Data', facts: dataFacts(result) },
      { title: 'Settings', facts: settingFacts(record) },
      { title: 'Result', facts: resultFacts(record, judgement) },
      { title: 'Machine', facts: machineDescription(record.machine, record.startedAt) },
    ],
    figures: [await scatterFigure(result, new Slices(signal))],
    tables: [clusterTable(record, judgement), profileTable(record, judgement.profiles)],
    commandLine: shellText([programName, ...runCommandLine(record)]),
  }
}

async function judged(result: RunResult, signal: AbortSignal): Promise<Judgement> {
  const { record, points, labels } = result
  const labelled = { points, labels, k: record.k }
  const dispersion = await dispersionOf(labelled, signal)
  const options = { extent: 'auto', seed: record.seed, signal } as const
  return {
    profiles: await profilesOf(result, signal),
    silhouettes: hasSilhouette(labelled) ? await silhouettesOf(labelled, options) : null,
    nearest: (await nearestClusters(result, 0, record.k, new Slices(signal))).nearest,
    calinskiHarabasz: calinskiHarabasz(dispersion),
    daviesBouldin: daviesBouldin(dispersion),
  }
}

function leadOf({ n, d, k, converged, iterations }: RunRecord): string {
  const end = converged ? '' : ' It has not converged: the iteration limit ended it.'
  return `${plural(n, 'row')} in ${plural(k, 'cluster')} by ${plural(d, 'feature')}, exact k-means, ${plural(iterations, 'iteration')}.${end}`
}

function dataFacts({ record, dataset }: RunResult): FactGroup['facts'] {
  const { file, receipt, droppedRows, filteredRows = 0, filledCells } = record
  const { format, delimiter, decimal, encoding, header } = dataset.dialect
  const text = `${encoding}, ${format}, delimiter ${JSON.stringify(delimiter)}, decimal ${decimal}, ${header ? 'with' : 'no'} header row`
  return [
    { name: 'File', value: file.name },
    { name: 'Size', value: formatBytes(file.bytes) },
    { name: 'SHA-256', value: file.sha256 ?? 'not known' },
    { name: 'Read as', value: dataset.form.columnar === undefined ? text : format },
    { name: 'Rows', value: formatCount(receipt.rows) },
    ...(filteredRows > 0 ? [{ name: 'Left out by the filter', value: formatCount(filteredRows) }] : []),
    { name: 'Left out for missing values', value: formatCount(droppedRows) },
    ...(filledCells > 0 ? [{ name: 'Cells filled', value: formatCount(filledCells) }] : []),
  ]
}

function settingFacts(record: RunRecord): FactGroup['facts'] {
  const { config, features, tolerance } = record
  const { filter } = config
  return [
    { name: 'Features', value: features.map(({ name }) => name).join(', ') },
    { name: 'Scaling', value: scalingText(record) },
    ...(filter ? [{ name: 'Rows', value: filterText(filter) }] : []),
    { name: 'Missing values', value: config.missing },
    { name: 'k', value: String(config.k) },
    { name: 'Start', value: `${config.init}, seed ${config.seed}, ${plural(config.nInit, 'run')}` },
    {
      name: 'Stop',
      value: `${config.stop}, tolerance ${tolerance}, at most ${config.maxIterations} iterations`,
    },
    { name: 'Empty clusters', value: config.empty },
  ]
}

function scalingText({ config }: RunRecord): string {
  const own = config.columnScalings?.map(({ column, scaling }) => `${column} ${scaling}`) ?? []
  return [config.scaling, ...own].join(', ')
}

function resultFacts(record: RunRecord, judgement: Judgement): FactGroup['facts'] {
  const { silhouettes } = judgement
  const { device, deviceName, engine, variant, regime } = record
  return [
    { name: 'Inertia', value: significant(record.inertia) },
    ...(silhouettes === null ? [] : [{ name: 'Silhouette', value: silhouetteText(silhouettes) }]),
    { name: 'Calinski-Harabasz', value: significant(judgement.calinskiHarabasz) },
    { name: 'Davies-Bouldin', value: significant(judgement.daviesBouldin) },
    { name: 'Computed on', value: `${engine}, ${deviceName} (${device})` },
    { name: 'Variant', value: regime === null ? variant : `${variant}, regime ${regime}` },
    { name: 'Time', value: formatDuration(record.timings.totalMs) },
    { name: 'Result SHA-256', value: record.resultSha256 ?? 'not kept' },
  ]
}

function silhouetteText({ mean, standardError, points }: PointSilhouettes): string {
  if (standardError === null) return `${mean.toFixed(4)}, every pair of rows`
  return `${mean.toFixed(4)} ± ${standardError.toFixed(4)}, a sample of ${formatCount(points)} rows`
}
