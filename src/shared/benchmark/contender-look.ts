/** How a contender looks and is called, the same in every plot: its engine a colour family, its variant a shade and a shape. */
import { isApproximate } from '../approximate'
import { hexOfRgb, rgbOfOklch } from '../colour'
import { t } from '../locale/translate'
import { engineWords } from '../setting-words'
import { variantTitle } from '../variant-title'
import type { OutsideSystem } from './suite'

export const contenderShapes = ['circle', 'square', 'triangle', 'diamond'] as const
export type ContenderShape = (typeof contenderShapes)[number]

export interface ContenderLook {
  /** `#rrggbb`, at least 3:1 on both grounds. */
  readonly colour: string
  /** Second cue beside the colour. */
  readonly shape: ContenderShape
}

/**
 * Those of each engine in the order of their shades: the sooner, the farther apart. Another one gets its place from its name.
 * `pruned` stands in files of earlier versions.
 */
const onDevices = [
  ...['fused', 'global-atomics', 'tree-reduction', 'shared-centroids', 'distance-matrix', 'hybrid'],
  ...['hybrid-parallel', 'sort-reduce', 'pruned', 'partial-sums', 'irregular-reduction', 'thrust'],
]
const orders = {
  cpu: ['fused', 'sequential', 'openmp', 'tbb', 'eigen', 'pruned', 'distance-matrix', 'mini-batch'],
  cuda: onDevices,
  webgpu: onDevices,
  outside: ['numpy', 'scikit-learn', 'scipy'],
} as const satisfies Record<string, readonly string[]>

/** Hues of Okabe and Ito's blue, orange, bluish green and purple, which the colour-blind tell apart. */
const families = { cpu: 250, cuda: 62, webgpu: 168, outside: 325 } as const
type Family = keyof typeof families
const familyNames = Object.keys(families) as readonly Family[]
interface Shade {
  /** Degrees of hue within the family. */
  readonly turn: number
  readonly lightness: number
  readonly chroma: number
}

/**
 * Between what white and what black grounds allow, chosen to lie far apart in OKLab in the family where they are
 * nearest: the first seven at least .056, all of them .037; those of equal shape, every fourth, .098 and .053.
 */
const shades: readonly Shade[] = [
  { turn: 0, lightness: 0.565, chroma: 0.13 },
  { turn: 20, lightness: 0.5275, chroma: 0.08 },
  { turn: -16, lightness: 0.64, chroma: 0.16 },
  { turn: 20, lightness: 0.59, chroma: 0.08 },
  { turn: 20, lightness: 0.6525, chroma: 0.08 },
  { turn: -20, lightness: 0.615, chroma: 0.08 },
  { turn: -20, lightness: 0.5275, chroma: 0.11 },
  { turn: -20, lightness: 0.565, chroma: 0.08 },
  { turn: -20, lightness: 0.6525, chroma: 0.11 },
  { turn: -20, lightness: 0.59, chroma: 0.15 },
  { turn: 8, lightness: 0.615, chroma: 0.15 },
  { turn: 0, lightness: 0.5275, chroma: 0.11 },
]

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

function rankOf(family: Family | null, variant: string): number {
  const order: readonly string[] = family === null ? [] : orders[family]
  const known = order.indexOf(variant)
  if (known >= 0) return known
  let hash = 7
  for (const letter of variant) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  // As many as there are looks, those of the known left to them.
  return order.length + (hash % (shades.length * contenderShapes.length - order.length))
}

/** Colour and shape of a contender: fixed by its engine and variant, whatever else is in the plot. */
export function contenderLook(key: string): ContenderLook {
  const { family, variant } = contenderParts(key)
  const rank = rankOf(family, variant)
  const at = family === null ? familyNames.length : familyNames.indexOf(family)
  const { turn, lightness, chroma } = shades[rank % shades.length] ?? shades[0]
  const [hue, strength] = family === null ? [0, 0] : [families[family] + turn, chroma]
  // Of those that share a shade, each has a shape of its own.
  const round = Math.floor(rank / shades.length)
  return {
    colour: hexOfRgb(rgbOfOklch(lightness, strength, hue)),
    shape: contenderShapes[(rank + round + at) % contenderShapes.length] ?? 'circle',
  }
}

/** `#rrggbb` of a contender. */
export const contenderColour = (key: string): string => contenderLook(key).colour

export const outsideWords: Readonly<Record<OutsideSystem, string>> = {
  numpy: 'NumPy',
  'scikit-learn': 'scikit-learn',
  scipy: 'SciPy',
}

/** A contender in words: `CPU Fused`, `cuda:1 Fused`, `NumPy`; what is approximate is marked so. */
export function contenderName(key: string): string {
  const { family, where, variant } = contenderParts(key)
  if (family === 'outside') return outsideWords[variant as OutsideSystem] ?? variant
  const device = family !== null && where === family ? engineWords[family] : where
  const name = `${device} ${variantTitle(variant)}`.trim()
  return isApproximate(variant) ? t('benchmark-tables.approximate', [name]) : name
}

/** A colour let through, for grounds behind marks of the same colour; `opacity` 0..1. */
export function softened(hex: string, opacity: number): string {
  const parts = [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16))
  return `rgb(${parts.join(' ')} / ${Math.round(opacity * 100)}%)`
}
