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
import {
  columnarWords,
  delimiterWords,
  emptyWords,
  encodingWords,
  engineWords,
  formatWords,
  initWords,
  missingWords,
  scalingsInWords,
  stopWords,
} from '@shared/setting-words'
import { dispersionOf } from '../../quality/dispersion'
import { nearestClusters } from '../../quality/nearest-clusters'
import { profilesOf, type Profiles } from '../../quality/profiles'
import { hasSilhouette, silhouettesOf, type PointSilhouettes } from '../../quality/silhouettes'
import type { RunResult } from '../../run/types'
import { Slices } from '../../slices'
import { clusterTable } from './cluster-table'
import { profileTable } from './profile-table'
import { scatterFigure } from './scatter'
import { localizedSentence } from '@shared/locale/localized-sentence'
import { localNumber, speaking, t } from '@shared/locale/translate'
import type { ReportChoice } from '@shared/text-choice'

/** What the report of a clustering says, before it is HTML or Markdown. */
export interface ReportContent {
  readonly title: string
  readonly lead: string
  /** What was noted about the run. */
  readonly note: string | null
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

/** Computes what is said of the clusters: O(n d), and silhouettes within their own limits. @throws LabError `cancelled` */
export async function reportContent(
  result: RunResult,
  signal: AbortSignal,
  choice: ReportChoice,
): Promise<ReportContent> {
  const judgement = await judged(result, signal)
  const figures = [await scatterFigure(result, new Slices(signal), choice)]
  return speaking(choice.language ?? 'en', () => ({ ...wordsOf(result, judgement, choice), figures }))
}

function wordsOf(
  result: RunResult,
  judgement: Judgement,
  { note, clusterNames }: ReportChoice,
): Omit<ReportContent, 'figures'> {
  const { record } = result
  return {
    title: t('report.clustersOf', [record.file.name]),
    lead: leadOf(record),
    note: note ? t('report.note', [note]) : null,
    warnings: record.warnings.map(localizedSentence),
    groups: [
      { title: t('report.data'), facts: dataFacts(result) },
      { title: t('report.settings'), facts: settingFacts(record) },
      { title: t('report.result'), facts: resultFacts(record, judgement) },
      { title: t('report.machine'), facts: machineDescription(record.machine, record.startedAt) },
    ],
    tables: [
      clusterTable(record, judgement, clusterNames),
      profileTable(record, judgement.profiles, clusterNames),
    ],
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
  const end = converged ? '' : t('report.itHasNotConvergedTheIteration')
  return t('report.inByExactKMeans', [
    plural(n, 'row'),
    plural(k, 'cluster'),
    plural(d, 'feature'),
    plural(iterations, 'iteration'),
    end,
  ])
}

function dataFacts({ record, dataset }: RunResult): FactGroup['facts'] {
  const { file, receipt, droppedRows, filteredRows = 0, filledCells } = record
  const { format, delimiter, decimal, encoding, header } = dataset.dialect
  const { columnar } = dataset.form
  const text = t('report.delimiterDecimalHeaderRow', [
    encodingWords[encoding],
    formatWords[format],
    delimiterWords[delimiter],
    decimal,
    t(header ? 'report.with' : 'report.without'),
  ])
  return [
    { name: t('report.file'), value: file.name },
    { name: t('report.size'), value: formatBytes(file.bytes) },
    { name: 'SHA-256', value: file.sha256 ?? t('report.notKnown') },
    { name: t('report.readAs'), value: columnar === undefined ? text : columnarWords[columnar] },
    { name: t('report.rows'), value: formatCount(receipt.rows) },
    ...(filteredRows > 0 ? [{ name: t('report.leftOutByTheFilter'), value: formatCount(filteredRows) }] : []),
    { name: t('report.leftOutForMissingValues'), value: formatCount(droppedRows) },
    ...(filledCells > 0 ? [{ name: t('report.cellsFilled'), value: formatCount(filledCells) }] : []),
  ]
}

function settingFacts(record: RunRecord): FactGroup['facts'] {
  const { config, features, tolerance } = record
  const { filter } = config
  return [
    { name: t('report.features'), value: features.map(({ name }) => name).join(', ') },
    { name: t('report.scaling'), value: scalingsInWords(config) },
    ...(filter ? [{ name: t('report.rows'), value: filterText(filter) }] : []),
    { name: t('report.missingValues'), value: missingWords[config.missing] },
    { name: 'k', value: String(config.k) },
    {
      name: t('report.start'),
      value: t('report.seed', [initWords[config.init], config.seed, plural(config.nInit, 'run')]),
    },
    {
      name: t('report.stop'),
      value: t('report.toleranceAtMostIterations', [
        stopWords[config.stop],
        localNumber(String(tolerance)),
        config.maxIterations,
      ]),
    },
    { name: t('report.emptyClusters'), value: emptyWords[config.empty] },
  ]
}

function resultFacts(record: RunRecord, judgement: Judgement): FactGroup['facts'] {
  const { silhouettes } = judgement
  const { device, deviceName, engine, variant, regime } = record
  return [
    { name: t('report.inertia'), value: significant(record.inertia) },
    ...(silhouettes === null ? [] : [{ name: t('report.silhouette'), value: silhouetteText(silhouettes) }]),
    { name: t('report.calinskiHarabasz'), value: significant(judgement.calinskiHarabasz) },
    { name: t('report.daviesBouldin'), value: significant(judgement.daviesBouldin) },
    { name: t('report.computedOn'), value: `${engineWords[engine]}, ${deviceName} (${device})` },
    { name: t('report.variant'), value: regime === null ? variant : t('report.regime', [variant, regime]) },
    { name: t('report.time'), value: formatDuration(record.timings.totalMs) },
    { name: t('report.resultSha256'), value: record.resultSha256 ?? t('report.notKept') },
  ]
}

function silhouetteText({ mean, standardError, points }: PointSilhouettes): string {
  if (standardError === null) return t('report.everyPairOfRows', [localNumber(mean.toFixed(4))])
  return t('report.aSampleOfRows', [
    localNumber(mean.toFixed(4)),
    localNumber(standardError.toFixed(4)),
    formatCount(points),
  ])
}
