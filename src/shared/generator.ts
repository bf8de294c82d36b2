/** Shapes of generated data (spec section 7, `generate`). */
export const generatorShapes = ['uniform', 'blobs', 'rings', 'moons'] as const
export type GeneratorShape = (typeof generatorShapes)[number]

export const generatorFormats = ['csv', 'headed'] as const
/** `headed` is the text format `N / n / k` of the project in four modules (spec section 2). */
export type GeneratorFormat = (typeof generatorFormats)[number]

/**
 * Data that is made rather than measured. The same spec gives the same rows, bit for bit, on every machine and
 * however the work is cut.
 */
export interface GeneratorSpec {
  readonly shape: GeneratorShape
  /** Points, at least 1. */
  readonly n: number
  /** Features, at least 1 (rings and moons: at least 2; features beyond the second are noise). */
  readonly d: number
  /** Blobs or rings; what a headed file names as its k. */
  readonly k: number
  /** Extent of the first feature, and of all but the second. */
  readonly width: number
  /** Extent of the second feature. */
  readonly height: number
  /** Standard deviation of a blob, a ring's or a moon's thickness, as a share of the width. */
  readonly spread: number
  /** 0: blobs, rings and moons of one size; towards 1 the sizes fall geometrically. In [0, 1). */
  readonly imbalance: number
  /** Share of the points that lie anywhere in the region instead. In [0, 1]. */
  readonly noise: number
  /** Share of the points that repeat an earlier one exactly. In [0, 1). */
  readonly duplicates: number
  /** Whole number in 0..2^53-1. */
  readonly seed: number
}

/** Fields that are numbers, in the order in which they are asked for. */
export const generatorNumbers = [
  'n',
  'd',
  'k',
  'width',
  'height',
  'spread',
  'imbalance',
  'noise',
  'duplicates',
  'seed',
] as const satisfies readonly (keyof GeneratorSpec)[]
export type GeneratorNumber = (typeof generatorNumbers)[number]

/** A value for each of them. */
export function forGeneratorNumbers<T>(valueOf: (field: GeneratorNumber) => T): Record<GeneratorNumber, T> {
  return {
    n: valueOf('n'),
    d: valueOf('d'),
    k: valueOf('k'),
    width: valueOf('width'),
    height: valueOf('height'),
    spread: valueOf('spread'),
    imbalance: valueOf('imbalance'),
    noise: valueOf('noise'),
    duplicates: valueOf('duplicates'),
    seed: valueOf('seed'),
  }
}

/** Whether a number has an effect on what is written: uniform points have no groups, and moons are always two. */
export function heeds(field: GeneratorNumber, shape: GeneratorShape, format: GeneratorFormat): boolean {
  if (field === 'k') return shape === 'blobs' || shape === 'rings' || format === 'headed'
  return shape !== 'uniform' || !['spread', 'imbalance', 'noise'].includes(field)
}

/** 2048 random points of a plane, as Di Dio's generator makes by default; even density and the size of the region are ours. */
export const defaultGeneratorSpec: GeneratorSpec = {
  shape: 'uniform',
  n: 2048,
  d: 2,
  k: 5,
  width: 100,
  height: 100,
  spread: 0.04,
  imbalance: 0,
  noise: 0,
  duplicates: 0,
  seed: 1,
}

/** What a person starts from when they choose a shape: as the default, but so that the shape is seen. */
export function defaultSpecOf(shape: GeneratorShape): GeneratorSpec {
  return { ...defaultGeneratorSpec, shape, ...shapeDefaults[shape] }
}

const shapeDefaults: Readonly<Record<GeneratorShape, Partial<GeneratorSpec>>> = {
  uniform: {},
  blobs: {},
  rings: { k: 3, spread: 0.015 },
  moons: { k: 2, spread: 0.03 },
}

/** E.g. `blobs-100000x2-k5-seed1`: the name of what is generated, without an extension. */
export function generatedName({ shape, n, d, k, seed }: GeneratorSpec): string {
  const groups = shape === 'blobs' || shape === 'rings' ? `-k${k}` : ''
  return `${shape}-${n}x${d}${groups}-seed${seed}`
}
