import { LabError } from './errors'
import { generatorNumbers, type GeneratorNumber, type GeneratorSpec } from './generator'

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
  n: ({ n }) => whole('The number of points', n, 1, maxPoints),
  d: ({ shape, d }) => {
    const flat = shape === 'rings' || shape === 'moons'
    return whole(`The number of features${flat ? ` of ${shape}` : ''}`, d, flat ? 2 : 1, maxFeatures)
  },
  k: groups,
  width: ({ width }) => extent('The width', width),
  height: ({ height }) => extent('The height', height),
  spread: ({ spread }) =>
    within('The spread', spread, spread >= 0 && spread <= maxSpread, `a number from 0 to ${maxSpread}`),
  imbalance: ({ imbalance }) =>
    within('The imbalance', imbalance, imbalance >= 0 && imbalance < 1, 'a number from 0 to below 1'),
  noise: ({ noise }) => within('The share of noise', noise, noise >= 0 && noise <= 1, 'a number from 0 to 1'),
  duplicates: ({ duplicates }) =>
    within(
      'The share of duplicates',
      duplicates,
      duplicates >= 0 && duplicates < 1,
      'a number from 0 to below 1',
    ),
  seed: ({ seed }) => whole('The seed', seed, 0, Number.MAX_SAFE_INTEGER),
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
  const why = most === n ? ', the number of points' : ''
  const problem = whole('The number of clusters', k, 1, most, why)
  if (problem !== null || shape !== 'blobs' || k * d <= maxCentreCoordinates) return problem
  return `The ${k} blob centres of ${d} features are too many: clusters times features must be at most ${maxCentreCoordinates}.`
}

/** @param why what the upper limit is, after a comma */
function whole(what: string, value: number, least: number, most: number, why = ''): string | null {
  const fits = Number.isInteger(value) && value >= least && value <= most
  return within(what, value, fits, `a whole number from ${least} to ${most}${why}`)
}

function extent(what: string, value: number): string | null {
  const fits = value >= minExtent && value <= maxExtent
  return within(what, value, fits, `a number from ${minExtent} to ${maxExtent}`)
}

function within(what: string, value: number, fits: boolean, expected: string): string | null {
  if (fits) return null
  return `${what} must be ${expected}${Number.isNaN(value) ? '' : `, but it is ${value}`}.`
}
