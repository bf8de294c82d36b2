import { markdownRows } from '@shared/benchmark/markdown'
import { medianOf } from '@shared/benchmark/statistics'
import { ourIds, type OurId, type RunnerId, type Turns } from './compare'
import { textbookIds } from './programs'
import type { Workload } from './workloads'

export interface Comparison {
  readonly workload: Workload
  readonly turns: readonly Turns[]
}

/** Held against the faster of the textbook programs. */
const besideTextbook: readonly OurId[] = ['sequential', 'eigen']

const ids: readonly RunnerId[] = [...textbookIds, ...ourIds]

/** A row for each workload: medians (least) in milliseconds an iteration, then ours over the faster textbook program, then float64 over float32. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const headers = [
    'data',
    'N, d, k',
    'iterations',
    ...ids,
    ...besideTextbook.map((id) => `${id} / faster`),
    'sequential float64 / float32',
    'centroids differ by',
  ]
  const numeric = (name: string) => !['data', 'N, d, k'].includes(name)
  const columns = headers.map((name) => ({ name, numeric: numeric(name) }))
  return markdownRows(columns, comparisons.map(row))
}

function row({ workload: { data, n, d, k, iterations }, turns }: Comparison): string[] {
  const timesOf = (id: RunnerId) => turns.find((each) => each.id === id)?.ms ?? []
  const faster = timesOf(fasterTextbook(turns))
  const difference = Math.max(...turns.map((each) => each.difference))
  return [
    data,
    `${n.toLocaleString('en')}, ${d}, ${k}`,
    String(iterations),
    ...ids.map((id) => timeText(timesOf(id))),
    ...besideTextbook.map((id) => ratioText(timesOf(id), faster)),
    ratioText(timesOf('sequential float64'), timesOf('sequential')),
    difference === 0 ? '0' : difference.toExponential(0),
  ]
}

/** That of the smaller median. */
export function fasterTextbook(turns: readonly Turns[]): RunnerId {
  const present = turns.filter(({ id }) => (textbookIds as readonly RunnerId[]).includes(id))
  return present.reduce((best, each) => (medianOf(each.ms) < medianOf(best.ms) ? each : best)).id
}

function timeText(ms: readonly number[]): string {
  if (ms.length === 0) return '-'
  return `${medianOf(ms).toPrecision(3)} (${Math.min(...ms).toPrecision(3)})`
}

/** Median of the ratios turn by turn, and the ratio of the least times. */
function ratioText(ours: readonly number[], other: readonly number[]): string {
  if (ours.length === 0) return '-'
  const median = medianOf(ours.map((ms, turn) => ms / other[turn]))
  return `${median.toFixed(2)} (${(Math.min(...ours) / Math.min(...other)).toFixed(2)})`
}
