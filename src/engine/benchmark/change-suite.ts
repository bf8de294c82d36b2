import { variants as declared } from '@kernels/variants'
import {
  contenderKey,
  type Contender,
  type OutsideSystem,
  type Suite,
  type SuiteCase,
  type SuiteConfig,
} from '@shared/benchmark/suite'
import type { ImportOverrides } from '@shared/dataset'
import { LabError, invalidArgument } from '@shared/errors'
import { float32Contender, float64Contenders, precisionOf } from '@shared/precision'
import { engineIds, formerVariants, type EngineId } from '@shared/variant'
import { workersVariant } from '@shared/workers'

/** What a person wants otherwise than a suite has it; undefined leaves it. */
export interface SuiteChanges extends Partial<
  Pick<Suite, 'repeats' | 'warmup' | 'timing' | 'maxCellSeconds'>
> {
  readonly k?: readonly number[]
  /** Names (`fused`) or keys (`cpu/fused`, `cuda:0/fused`). */
  readonly variants?: readonly string[] | 'all'
  readonly engines?: readonly EngineId[]
  readonly outside?: readonly OutsideSystem[]
  /** A key, or the name of a variant: its first contender. */
  readonly baseline?: string
  /** How files are read where that shall not be detected. */
  readonly overrides?: ImportOverrides
  readonly config: Partial<SuiteConfig>
}

/**
 * The suite as it is wanted.
 * @throws LabError `input` for a variant or a baseline that is not there, when nobody is left to take part, and for
 * import options where no file is read
 */
export function changeSuite(suite: Suite, changes: SuiteChanges): Suite {
  const { repeats, warmup, timing, maxCellSeconds } = changes
  const contenders = chosenContenders(suite.contenders, changes)
  const config = withWorkers(changedConfig(suite.config, changes.config), changes.config, contenders)
  refuseFloat32(config, contenders)
  return {
    ...suite,
    cases: changedCases(suite.cases, changes),
    contenders,
    config,
    repeats: repeats ?? suite.repeats,
    warmup: warmup ?? suite.warmup,
    timing: timing ?? suite.timing,
    ...(maxCellSeconds !== undefined && { maxCellSeconds }),
    baseline: baselineAmong(contenders, changes.baseline, suite.baseline),
  }
}

function changedCases(cases: readonly SuiteCase[], { k, overrides }: SuiteChanges): readonly SuiteCase[] {
  if (overrides !== undefined && cases.every(({ dataset }) => dataset.kind !== 'file')) {
    throw invalidArgument('a data file to read', 'the import options', 'a suite that reads none')
  }
  return cases.map((one) => ({
    k: k ?? one.k,
    dataset:
      one.dataset.kind === 'file' && overrides !== undefined
        ? { ...one.dataset, overrides: { ...one.dataset.overrides, ...overrides } }
        : one.dataset,
  }))
}

/** A tolerance is in the unit of its rule: it does not outlive a change of the rule. */
function changedConfig(config: SuiteConfig, changes: Partial<SuiteConfig>): SuiteConfig {
  const otherRule = changes.stop !== undefined && changes.stop !== config.stop
  return { ...config, ...(otherRule && { tolerance: null }), ...changes }
}

/** Workers that nobody has are refused where they were asked for, and forgotten where the suite had them. */
function withWorkers(
  { workers = null, ...config }: SuiteConfig,
  asked: Partial<SuiteConfig>,
  contenders: readonly Contender[],
): SuiteConfig {
  if (workers === null) return config
  if (contenders.some((one) => one.kind === 'variant' && one.variant === workersVariant)) {
    return { ...config, workers }
  }
  if (asked.workers === undefined) return config
  throw invalidArgument(
    `${workersVariant}, which alone has workers to number,`,
    'one of the contenders',
    'others',
  )
}

/** A suite in float64 stays so, whoever takes part: a time in another precision would be another one. */
function refuseFloat32(config: SuiteConfig, contenders: readonly Contender[]): void {
  const refused = float32Contender(contenders, precisionOf(config))
  if (refused !== null) throw invalidArgument(float64Contenders, 'the contenders', refused)
}

/** Those that stay keep their order. */
function chosenContenders(
  had: readonly Contender[],
  { variants, engines, outside }: SuiteChanges,
): readonly Contender[] {
  const stays = (one: Contender) =>
    one.kind === 'outside'
      ? outside === undefined
      : variants === undefined && (engines?.includes(one.engine) ?? true)
  const chosen = [
    ...(variants === undefined ? [] : variantContenders(variants, engines ?? enginesOf(had))),
    ...had.filter(stays),
    ...(outside ?? []).map((system): Contender => ({ kind: 'outside', system })),
  ]
  if (chosen.length > 0) return chosen
  throw invalidArgument('variants that some of the engines offer', 'the contenders', engines?.join(', '))
}

function enginesOf(contenders: readonly Contender[]): readonly EngineId[] {
  const engines = contenders.flatMap((one) => (one.kind === 'variant' ? [one.engine] : []))
  return engines.length === 0 ? engineIds : [...new Set(engines)]
}

function variantContenders(
  variants: readonly string[] | 'all',
  engines: readonly EngineId[],
): readonly Contender[] {
  const named = variants === 'all' ? declared.map(({ id }) => id) : variants
  const found = named.flatMap((name) => {
    const contenders = contendersNamed(name, engines)
    if (contenders.length === 0 && variants !== 'all') throw noVariant(name, engines)
    return contenders
  })
  return [...new Map(found.map((one) => [contenderKey(one), one])).values()]
}

/** `fused`, `cpu/fused` or `cuda:0/fused`. */
function contendersNamed(name: string, engines: readonly EngineId[]): readonly Contender[] {
  const [, on = null, variant] = /^(?:([^/]*)\/)?(.*)$/.exec(name) ?? []
  const runsOn = declared.find(({ id }) => id === variant)?.engines
  if (runsOn === undefined) return []
  const engineOfDevice = engineIds.find((engine) => on?.split(':')[0] === engine)
  const where = on === null ? engines : engineOfDevice === undefined ? [] : [engineOfDevice]
  const device = on === engineOfDevice ? null : on
  return where
    .filter((engine) => runsOn[engine] !== undefined)
    .map((engine) => ({ kind: 'variant', engine, variant, device }))
}

function noVariant(name: string, engines: readonly EngineId[]): Error {
  const former = Object.entries(formerVariants).find(([id]) => name === id || name.endsWith(`/${id}`))
  if (former !== undefined) return new LabError('input', 'benchmark.former-variant', former[1])
  const offers = declared.filter((one) => engines.some((engine) => one.engines[engine] !== undefined))
  return invalidArgument(
    `one of ${offers.map(({ id }) => id).join(', ')} (${engines.join(', ')})`,
    'a variant',
    name,
  )
}

function baselineAmong(contenders: readonly Contender[], asked: string | undefined, had: string): string {
  const keys = contenders.map(contenderKey)
  if (asked === undefined) return keys.includes(had) ? had : keys[0]
  const found = keys.find((key) => key === asked) ?? keys.find((key) => key.endsWith(`/${asked}`))
  if (found !== undefined) return found
  throw invalidArgument(`one of ${keys.join(', ')}`, 'the baseline', asked)
}
