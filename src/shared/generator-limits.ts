import { LabError } from './errors'
import { generatorNumbers, type GeneratorNumber, type GeneratorSpec } from './generator'
import { t } from './locale/translate'

const maxPoints = 2 ** 40
const maxFeatures = 10_000
const maxGroups = 1_000_000
/** Coordinates of all blob centres together: 128 MiB of them. */
const maxCentreCoordinates = 2 ** 24
const minExtent = 1e-6
const maxExtent = 1e12
const maxSpread = 10

type Check = (spec: GeneratorSpec) => string | null

/** One check a field; each answers a sentence, or null where nothing is wrong. */
const checks: Readonly<Record<GeneratorNumber, Check>> = {
  n: ({ n }) => whole(t('common.theNumberOfPoints'), n, 1, maxPoints),
  d: ({ shape, d }) => {
    const flat = shape === 'rings' || shape === 'moons'
    return whole(
      t('common.theNumberOfFeatures', [flat ? t('common.of', [shape]) : '']),
      d,
      flat ? 2 : 1,
      maxFeatures,
    )
  },
  k: groups,
  width: ({ width }) => extent(t('common.theWidth'), width),
  height: ({ height }) => extent(t('common.theHeight'), height),
  spread: ({ spread }) =>
    within(
      t('common.theSpread'),
      spread,
      spread >= 0 && spread <= maxSpread,
      t('common.aNumberFrom0To', [maxSpread]),
    ),
  imbalance: ({ imbalance }) =>
    within(
      t('common.theImbalance'),
      imbalance,
      imbalance >= 0 && imbalance < 1,
      t('common.aNumberFrom0ToBelow'),
    ),
  noise: ({ noise }) =>
    within(t('common.theShareOfNoise'), noise, noise >= 0 && noise <= 1, t('common.aNumberFrom0To1')),
  duplicates: ({ duplicates }) =>
    within(
      t('common.theShareOfDuplicates'),
      duplicates,
      duplicates >= 0 && duplicates < 1,
      t('common.aNumberFrom0ToBelow'),
    ),
  seed: ({ seed }) => whole(t('common.theSeed'), seed, 0, Number.MAX_SAFE_INTEGER),
}

/** What is wrong with a spec, a sentence a field; empty when nothing is. */
export function generatorProblems(spec: GeneratorSpec): Partial<Readonly<Record<GeneratorNumber, string>>> {
  const problems: Partial<Record<GeneratorNumber, string>> = {}
  for (const field of generatorNumbers) {
    const problem = checks[field](spec)
    if (problem !== null) problems[field] = problem
  }
  return problems
}

/** @throws LabError `generate.spec` with the first sentence of `generatorProblems` */
export function validateGeneratorSpec(spec: GeneratorSpec): void {
  const problem = Object.values(generatorProblems(spec)).at(0)
  if (problem !== undefined) throw new LabError('input', 'generate.spec', problem)
}

function groups({ shape, n, d, k }: GeneratorSpec): string | null {
  const most =
    shape === 'blobs' || shape === 'rings' ? Math.min(maxGroups, n >= 1 ? n : maxGroups) : maxGroups
  const why = most === n ? t('common.theNumberOfPoints2') : ''
  const problem = whole(t('common.theNumberOfClusters'), k, 1, most, why)
  if (problem !== null || shape !== 'blobs' || k * d <= maxCentreCoordinates) return problem
  return t('common.theBlobCentresOfFeaturesAre', [k, d, maxCentreCoordinates])
}

/** @param why what the upper limit is, after a comma */
function whole(what: string, value: number, least: number, most: number, why = ''): string | null {
  const fits = Number.isInteger(value) && value >= least && value <= most
  return within(what, value, fits, t('common.aWholeNumberFromTo', [least, most, why]))
}

function extent(what: string, value: number): string | null {
  const fits = value >= minExtent && value <= maxExtent
  return within(what, value, fits, t('common.aNumberFromTo', [minExtent, maxExtent]))
}

function within(what: string, value: number, fits: boolean, expected: string): string | null {
  if (fits) return null
  return t('common.mustBe', [what, expected, Number.isNaN(value) ? '' : t('common.butItIs', [value])])
}
