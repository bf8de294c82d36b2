/** How a contender looks and is called, the same in every plot: its engine a colour family, its variant a shade and a shape. */
import { hexOfRgb, rgbOfOklch } from '../colour'

export const contenderShapes = ['circle', 'square', 'triangle', 'diamond'] as const
export type ContenderShape = (typeof contenderShapes)[number]

export interface ContenderLook {
  /** `#rrggbb`, at least 3:1 on both grounds. */
  readonly colour: string
  /** Second cue beside the colour. */
  readonly shape: ContenderShape
}

/** The variants of the program in the order of their shades. One that is not here gets its place from its name. */
const variantOrder = [
  'fused',
  'sequential',
  'openmp',
  'tbb',
  'eigen',
  'thrust',
  'pruned',
  'hybrid',
  'hybrid-parallel',
  'partial-sums',
  'shared-centroids',
  'global-atomics',
  'sort-reduce',
  'tree-reduction',
  'distance-matrix',
  'irregular-reduction',
  'numpy',
  'scikit-learn',
  'scipy',
] as const

/** Hues of Okabe and Ito's blue, orange, bluish green and purple, which the colour-blind tell apart. */
const families = { cpu: 250, cuda: 62, webgpu: 168, outside: 325 } as const
type Family = keyof typeof families
const familyNames = Object.keys(families) as readonly Family[]
/** Between what white and what black grounds allow; the shades of equal shapes, every fourth place, lie far apart. */
const shades = [0.525, 0.585, 0.605, 0.56, 0.64] as const
/** Degrees of hue within the family. */
const turns = [0, 18, -18] as const

export interface ContenderParts {
  /** Of the engine; `outside` for another program. */
  readonly family: Family | null
  /** `cuda:0` or, without a device, `cuda`. */
  readonly where: string
  readonly variant: string
}

/** A key as `contenderKey` makes it, taken apart. */
export function contenderParts(key: string): ContenderParts {
  const cut = key.indexOf('/')
  const where = cut < 0 ? '' : key.slice(0, cut)
  const engine = where.split(':')[0]
  return { family: familyNames.find((name) => name === engine) ?? null, where, variant: key.slice(cut + 1) }
}

function placeOf(variant: string): number {
  const known = variantOrder.findIndex((name) => name === variant)
  if (known >= 0) return known
  let hash = 7
  for (const letter of variant) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return variantOrder.length + hash
}

/** Colour and shape of a contender: fixed by its engine and variant, whatever else is in the plot. */
export function contenderLook(key: string): ContenderLook {
  const { family, variant } = contenderParts(key)
  const place = placeOf(variant)
  const at = family === null ? familyNames.length : familyNames.indexOf(family)
  const lightness = shades[place % shades.length] ?? shades[0]
  const turn = turns[place % turns.length] ?? 0
  const chroma = family === null ? 0 : 0.13
  const hue = (family === null ? 0 : families[family]) + turn
  return {
    colour: hexOfRgb(rgbOfOklch(lightness, chroma, hue)),
    shape: contenderShapes[(place + at) % contenderShapes.length] ?? 'circle',
  }
}

/** `#rrggbb` of a contender. */
export const contenderColour = (key: string): string => contenderLook(key).colour

/** A contender in words: its key, an outside system by its name alone. */
export function contenderName(key: string): string {
  return key.startsWith('outside/') ? key.slice('outside/'.length) : key
}

/** A colour let through, for grounds behind marks of the same colour; `opacity` 0..1. */
export function softened(hex: string, opacity: number): string {
  const parts = [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16))
  return `rgb(${parts.join(' ')} / ${Math.round(opacity * 100)}%)`
}
