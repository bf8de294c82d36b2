/** Which times of a comparison stand side by side: those of one dataset and one k. */
import { afterColon } from '@shared/benchmark/after-colon'
import { workloadId, rowsByWorkload } from '@shared/benchmark/cells'
import { whyNotCounted } from '@shared/benchmark/counted'
import type { BenchmarkDocument, Measurement } from '@shared/benchmark/document'
import { t } from '@/i18n'
import { formatCount } from '@/text/numbers'
import { contenderName } from '@shared/benchmark/contender-look'

export interface Group {
  readonly dataset: string
  readonly k: number
  readonly n: number
  readonly d: number
}

export const sameGroup = (a: Pick<Group, 'dataset' | 'k'>, b: Pick<Group, 'dataset' | 'k'>): boolean =>
  a.dataset === b.dataset && a.k === b.k

/** Every dataset with every k, in the order of the plan. */
export function groupsOf({ plan, rows }: Pick<BenchmarkDocument, 'plan' | 'rows'>): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const cell of [...plan, ...rows]) {
    const { dataset, k, n, d } = cell
    const id = workloadId(cell)
    if (!groups.has(id)) groups.set(id, { dataset, k, n, d })
  }
  return [...groups.values()]
}

/** The group that is asked for; the first one where nothing, or what is not there, is asked for. */
export function groupOf(document: BenchmarkDocument, dataset?: string, k?: number): Group | null {
  const groups = groupsOf(document).filter((group) => dataset === undefined || group.dataset === dataset)
  return groups.find((group) => k === undefined || group.k === k) ?? groups[0] ?? null
}

export function rowsOf(document: BenchmarkDocument, group: Group): readonly Measurement[] {
  return rowsByWorkload(document.rows).get(workloadId(group)) ?? []
}

/** `blobs, N = 100 000, d = 8, k = 10`. */
export function groupWords({ dataset, n, d, k }: Group): string {
  return `${dataset}, N = ${formatCount(n)}, d = ${formatCount(d)}, k = ${formatCount(k)}`
}

/** Part of a file name: letters, digits and hyphens. */
export function groupSlug({ dataset, k }: Pick<Group, 'dataset' | 'k'>): string {
  const slug = (words: string): string => words.toLowerCase().replace(/[^a-z\d]+/g, '-')
  return `${slug(dataset)}-k${k}`.replace(/^-+/, '')
}

export const hasTimes = ({ state, totalsMs }: Measurement): boolean =>
  (state === 'measured' || state === 'approximate' || state === 'disagrees') && totalsMs.length > 0

const stateWords = {
  get measured() {
    return t('benchmark.doesNotCount')
  },
  get skipped() {
    return t('benchmark.wasSkipped')
  },
  get failed() {
    return t('benchmark.failed')
  },
  get approximate() {
    return t('benchmark.isApproximate')
  },
  get disagrees() {
    return t('benchmark.disagreesWithTheReference')
  },
} as const

/** What is said of contenders without a time that counts: one sentence each. */
export function remarksOn(rows: readonly Measurement[]): readonly string[] {
  return rows.flatMap((row) => {
    const why = whyNotCounted(row)
    return why === null
      ? []
      : [`${contenderName(row.contender)} ${stateWords[row.state]}: ${afterColon(why)}`]
  })
}

const untimedWords = {
  phases: {
    get outside() {
      return t('benchmark.notOfItsPhases')
    },
    get inside() {
      return t('benchmark.itsPhasesWereNotTimed')
    },
  },
  iterations: {
    get outside() {
      return t('benchmark.notOfSingleIterations')
    },
    get inside() {
      return t('benchmark.itsIterationsWereNotTimed')
    },
  },
} as const

/** Who has a time in a group and is not among those shown, and why. */
export function untimedRemarks(
  rows: readonly Measurement[],
  shown: readonly { readonly contender: string }[],
  what: keyof typeof untimedWords,
): readonly string[] {
  const left = rows.filter((row) => hasTimes(row) && shown.every((one) => one.contender !== row.contender))
  const [outside, inside] = [left.filter((row) => row.engine === null), left.filter((row) => row.engine)]
  const words = untimedWords[what]
  const names = outside.map(({ contender }) => contenderName(contender)).join(', ')
  const theirs = t('benchmark.notShownASystemOutsideThe', [words.outside])
  return [
    ...(names === '' ? [] : [`${names}: ${theirs}`]),
    ...inside.map(({ contender }) => t('benchmark.notShownFor', [contenderName(contender), words.inside])),
  ]
}
