import * as v from 'valibot'
import {
  contenderKey,
  outsideSystems,
  type Contender,
  type Suite,
  type SuiteCase,
} from '@shared/benchmark/suite'
import { maxCellSeconds } from '@shared/benchmark/cell-limit'
import { timingLevels } from '@shared/run-config'
import { float32Contender, float64Contenders, precisions } from '@shared/precision'
import { engineIds } from '@shared/variant'
import { maxWorkers } from '@shared/workers'
import { importOverrides } from '../csv/import-overrides-schema'
import { generatorSpec } from '../generate/spec-schema'
import { id, path, runConfigEntries } from '../run/run-config-schema'

const maxCells = 20_000
const sentences = v.pipe(v.string(), v.maxLength(10_000))
const wholeNumber = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
const k = wholeNumber(1, 2 ** 31 - 1)
const positive = v.pipe(v.number(), v.finite(), v.minValue(0))

const cellSeconds = v.pipe(
  v.number(),
  v.check(
    (seconds) => seconds > 0 && seconds <= maxCellSeconds,
    `seconds above 0, at most ${maxCellSeconds}`,
  ),
)

const dataset = v.variant('kind', [
  v.strictObject({ kind: v.literal('loaded'), datasetId: id, name: id }),
  v.strictObject({ kind: v.literal('file'), path, name: id, overrides: v.exactOptional(importOverrides) }),
  v.strictObject({ kind: v.literal('generated'), spec: generatorSpec, name: id }),
])

const isAscending = (values: readonly number[]) => values.every((one, at) => at === 0 || values[at - 1] < one)

const suiteCase = v.strictObject({
  dataset,
  k: v.pipe(
    v.array(k),
    v.minLength(1),
    v.maxLength(1000),
    v.check((values) => isAscending(values), 'ascending, distinct k'),
  ),
})

const contender = v.variant('kind', [
  v.strictObject({
    kind: v.literal('variant'),
    engine: v.picklist(engineIds),
    variant: id,
    device: v.nullable(id),
  }),
  v.strictObject({ kind: v.literal('outside'), system: v.picklist(outsideSystems) }),
])

const chosen = v.pick(v.strictObject(runConfigEntries), [
  'features',
  'missing',
  'scaling',
  'columnScalings',
  'filter',
  'oneHot',
  'init',
  'centroidsFile',
  'seed',
  'stop',
  'tolerance',
  'maxIterations',
  'empty',
])

const config = v.strictObject({
  ...chosen.entries,
  workers: v.exactOptional(v.nullable(wholeNumber(1, maxWorkers))),
  precision: v.exactOptional(v.picklist(precisions)),
})

/** Of the configuration of a suite. */
export const configKeys: readonly string[] = Object.keys(config.entries)

const publishedTime = v.strictObject({
  dataset: id,
  k,
  contender: id,
  system: id,
  ms: v.nullable(positive),
  speedup: v.nullable(positive),
})

const publishedRatio = v.strictObject({
  k,
  systems: id,
  contender: id,
  over: id,
  min: v.nullable(positive),
  mean: v.nullable(positive),
  max: v.nullable(positive),
})

const publication = v.strictObject({
  title: id,
  hardware: sentences,
  note: sentences,
  times: v.pipe(v.array(publishedTime), v.maxLength(10_000)),
  // Suites written before ratios were kept have none.
  ratios: v.optional(v.pipe(v.array(publishedRatio), v.maxLength(1000)), []),
})

const areDistinct = (names: readonly string[]) => new Set(names).size === names.length
const datasetNames = (cases: readonly SuiteCase[]) => cases.map((one) => one.dataset.name)
const keysOf = (contenders: readonly Contender[]) => contenders.map(contenderKey)

function cellsOf({ cases, contenders }: Pick<Suite, 'cases' | 'contenders'>): number {
  return cases.reduce((sum, one) => sum + one.k.length, 0) * contenders.length
}

/** A suite as it comes from a file or from the window: every field, and what they must be together. */
export const suiteSchema: v.GenericSchema<unknown, Suite> = v.pipe(
  v.strictObject({
    format: v.literal(1),
    name: id,
    description: sentences,
    scale: v.optional(positive, 1),
    cases: v.pipe(
      v.array(suiteCase),
      v.minLength(1),
      v.maxLength(1000),
      v.check((cases) => areDistinct(datasetNames(cases)), 'datasets of different names'),
    ),
    contenders: v.pipe(
      v.array(contender),
      v.minLength(1),
      v.maxLength(200),
      v.check((contenders) => areDistinct(keysOf(contenders)), 'every contender once'),
    ),
    config,
    timing: v.picklist(timingLevels),
    warmup: wholeNumber(0, 100),
    repeats: wholeNumber(1, 1000),
    maxCellSeconds: v.exactOptional(cellSeconds),
    baseline: id,
    publication: v.nullable(publication),
  }),
  v.check(
    ({ baseline, contenders }) => keysOf(contenders).includes(baseline),
    'a baseline that is one of the contenders',
  ),
  v.check(
    ({ config: { precision = 'float32' }, contenders }) => float32Contender(contenders, precision) === null,
    ({
      input: {
        config: { precision = 'float32' },
        contenders,
      },
    }) => `${float64Contenders}, so not ${float32Contender(contenders, precision)}`,
  ),
  v.check((suite) => cellsOf(suite) <= maxCells, `a comparison of at most ${maxCells} cells`),
)
