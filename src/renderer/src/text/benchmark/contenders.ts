/** Contenders by their keys, and the matrix from which they are chosen. */
import { localizedSentence } from '@shared/locale/localized-sentence'
import { outsideSystems, type Contender } from '@shared/benchmark/suite'
import { engineIds, type EngineId, type EngineReport, type VariantId } from '@shared/variant'
import { engineWords } from '../words'
import { t } from '@/i18n'

/** The other way round of `contenderKey`. Throws nothing: an unknown engine is the plan's to refuse. */
export function contenderOf(key: string): Contender {
  const slash = key.indexOf('/')
  const [device, what] = [key.slice(0, slash), key.slice(slash + 1)]
  const system = outsideSystems.find((each) => each === what)
  if (device === 'outside' && system) return { kind: 'outside', system }
  const engine = engineIds.find((id) => device === id || device.startsWith(`${id}:`)) ?? 'cpu'
  return { kind: 'variant', engine, variant: what, device: device === engine ? null : device }
}

/** One place where variants run: an engine on its best device, or a further device of it. */
export interface MatrixColumn {
  /** Before the slash of a key. */
  readonly device: string
  readonly engine: EngineId
  readonly title: string
  /** Name of the device, or why there is none. */
  readonly says: string
  readonly available: boolean
  readonly software: boolean
}

export interface MatrixRow {
  readonly variant: VariantId
  readonly title: string
  readonly summary: string
  readonly from: string
  /** Engines that offer it. */
  readonly engines: ReadonlySet<EngineId>
}

export function matrixColumns(reports: readonly EngineReport[]): readonly MatrixColumn[] {
  return reports.flatMap((report) => {
    const [best, ...others] = report.devices
    const { id: engine, available } = report
    const says = available
      ? (best?.name ?? '')
      : localizedSentence(report.reason ?? t('benchmark.itIsNotAvailable'))
    const first = {
      device: engine,
      engine,
      title: engineWords[engine],
      says,
      available,
      software: best?.software ?? false,
    }
    const further = available ? others : []
    return [
      first,
      ...further.map(({ id, name, software }) => ({ ...first, device: id, title: id, says: name, software })),
    ]
  })
}

export function matrixRows(reports: readonly EngineReport[]): readonly MatrixRow[] {
  const rows = new Map<VariantId, MatrixRow>()
  for (const { id: engine, variants } of reports)
    for (const { id, title, summary, from } of variants) {
      const engines = new Set([...(rows.get(id)?.engines ?? []), engine])
      rows.set(id, { variant: id, title, summary: localizedSentence(summary), from, engines })
    }
  // The textbook first, then ours, then the studies, each as the engines list them.
  const rank = ({ from }: MatrixRow): number => (from === 'all studies' ? 0 : from === 'ours' ? 1 : 2)
  return [...rows.values()].sort((a, b) => rank(a) - rank(b))
}

/** Whose the variant is: names of studies are the same in every language. */
export function fromWords({ from }: Pick<MatrixRow, 'from'>): string {
  if (from === 'all studies') return t('benchmark.fromAllStudies')
  return from === 'ours' ? t('benchmark.fromUs') : from
}

export const isOurs = ({ from }: Pick<MatrixRow, 'from'>): boolean => from === 'ours'

export const keyOf = (device: string, variant: VariantId): string => `${device}/${variant}`

/** Every key that the matrix offers on engines that are there, by column. */
export function offeredKeys(columns: readonly MatrixColumn[], rows: readonly MatrixRow[]): readonly string[] {
  return columns
    .filter(({ available }) => available)
    .flatMap(({ device, engine }) =>
      rows.filter(({ engines }) => engines.has(engine)).map(({ variant }) => keyOf(device, variant)),
    )
}

export const quickPicks = ['usual', 'engines', 'ours', 'all', 'none'] as const
export type QuickPick = (typeof quickPicks)[number]

export const quickPickWords: Readonly<Record<QuickPick, string>> = {
  get usual() {
    return t('benchmark.proposed')
  },
  get engines() {
    return t('benchmark.sequentialOpenmpCudaWebgpu')
  },
  get ours() {
    return t('benchmark.ours')
  },
  get all() {
    return t('benchmark.all')
  },
  get none() {
    return t('benchmark.none')
  },
}

const oneEach = ['cpu/sequential', 'cpu/openmp', 'cuda/fused', 'webgpu/fused']

/**
 * What a quick pick takes of what is offered.
 * @param columns what is proposed leaves those out that only imitate a graphics card
 */
export function picked(
  pick: QuickPick,
  offered: readonly string[],
  rows: readonly MatrixRow[],
  columns: readonly MatrixColumn[],
): readonly string[] {
  const imitated = new Set(columns.filter(({ software }) => software).map(({ device }) => device))
  const ours = new Set(rows.filter(isOurs).map(({ variant }) => variant))
  const takes: Readonly<Record<QuickPick, (key: string) => boolean>> = {
    usual: (key) =>
      (key === 'cpu/fused' || oneEach.includes(key)) && !imitated.has(key.slice(0, key.indexOf('/'))),
    engines: (key) => oneEach.includes(key),
    ours: (key) => ours.has(key.slice(key.indexOf('/') + 1)) && !key.includes(':'),
    all: () => true,
    none: () => false,
  }
  return offered.filter(takes[pick])
}

/** With a key more or less; those of the matrix in its order, any others after them. */
export function toggled(
  contenders: readonly string[],
  key: string,
  order: readonly string[],
): readonly string[] {
  if (contenders.includes(key)) return contenders.filter((each) => each !== key)
  const rank = (each: string): number => (order.includes(each) ? order.indexOf(each) : order.length)
  return [...contenders, key].sort((a, b) => rank(a) - rank(b))
}
