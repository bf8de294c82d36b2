import { resolve } from 'node:path'
import { openDataset } from '@engine/csv/open-dataset'
import type { Dataset } from '@engine/dataset/dataset'
import { judge as judgeLabels } from '@engine/quality/judge'
import { rowClasses, type RowClasses } from '@engine/quality/row-classes'
import { Slices } from '@engine/slices'
import { LabError } from '@shared/errors'
import type { PreparationChoice } from '@shared/run-config'
import type { CliIo } from './io'
import type { JudgeOptions } from './judge-arguments'
import { judgeJson, judgeText } from './judge-output'
import { loadData } from './load-data'
import { Progress } from './progress'

/** `centroid-lab judge`: what indices say of labels, whoever made them. @returns exit status 0 */
export async function judge(options: JudgeOptions, io: CliIo): Promise<number> {
  const progress = new Progress(io.stderr)
  try {
    const dataset = await loadData(options, io, progress)
    const slices = new Slices(io.signal)
    const labels = await labelsOf(dataset, options.labels, io.signal)
    const truth = options.truth === null ? null : await rowClasses(dataset, options.truth, slices)
    const choice = withoutAnswers(dataset, options)
    const { extent, seed } = options
    const onShare = (share: number) => progress.update(`silhouettes: ${Math.floor(100 * share)} %`)
    const task = { dataset, choice, labels, truth, extent, seed }
    const judgement = await judgeLabels(task, io.signal, onShare)
    progress.clear()
    const report = { judgement, names: labels.names, file: dataset.file.name, options }
    io.stdout.write(options.json ? judgeJson(report) : judgeText(report))
    return 0
  } finally {
    progress.clear()
  }
}

/** A column of the data, or else a file with as many rows. */
async function labelsOf(dataset: Dataset, labels: string, signal: AbortSignal): Promise<RowClasses> {
  const slices = new Slices(signal)
  if (dataset.columns.some(({ name }) => name === labels)) return rowClasses(dataset, labels, slices)
  if (!/[./\\]/.test(labels)) return rowClasses(dataset, labels, slices)
  const other = await openDataset(resolve(labels), {}, () => undefined, signal)
  if (other.rows !== dataset.rows) throw otherRows(dataset, other)
  return rowClasses(other, labelColumn(other), slices)
}

/** `cluster`, or the name that labels.csv gives it where that is taken: the last of them; else the only column. */
function labelColumn({ columns, file }: Dataset): string {
  const [own] = columns.filter(({ name }) => /^cluster(_\d+)?$/.test(name)).slice(-1)
  if (own !== undefined) return own.name
  if (columns.length === 1) return columns[0].name
  throw new LabError(
    'input',
    'judge.labels',
    `${file.name} has no column 'cluster' to take the labels from: name one of its columns so, or keep that column alone.`,
  )
}

function otherRows(data: Dataset, labels: Dataset): LabError {
  return new LabError(
    'input',
    'judge.rows',
    `${labels.file.name} has ${labels.rows} rows but ${data.file.name} has ${data.rows}: the labels of another file cannot be judged.`,
  )
}

/** Labels and known classes are no features, unless they are named as such; nor is what labels.csv adds. */
function withoutAnswers({ columns }: Dataset, { choice, labels, truth }: JudgeOptions): PreparationChoice {
  if (choice.features !== null) return choice
  const isAnswer = (name: string) =>
    name === labels || name === truth || /^(cluster|distance)(_\d+)?$/.test(name)
  const features = columns.filter(({ name, proposed }) => proposed && !isAnswer(name))
  return { ...choice, features: features.map(({ name }) => name) }
}
