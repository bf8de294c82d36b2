/** Cluster colours: Okabe-Ito up to 8, a fixed set up to 20, generated in OKLCH beyond; a shape as second cue. */

import { hexOfRgb, rgbOfOklch, type Rgb } from './colour'

export { hexOfRgb, rgbOfOklch, type Rgb }

/**
 * Okabe and Ito's palette for colour-blind readers, ordered by contrast on both grounds. Its black comes last and
 * as a grey, since black points would be lost in the dark theme.
 */
const okabeIto = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#d55e00',
  '#56b4e9',
  '#cc79a7',
  '#f0e442',
  '#808080',
] as const

/** Twenty colours far apart from one another, after Trubetskoy's list, without those lost on white or black. */
const twenty = [
  '#4363d8',
  '#e6194b',
  '#3cb44b',
  '#f58231',
  '#911eb4',
  '#2fb8d8',
  '#f032e6',
  '#9fbf1e',
  '#d4849f',
  '#469990',
  '#a481d6',
  '#9a6324',
  '#c9b600',
  '#a03030',
  '#5fc98c',
  '#808000',
  '#d89a60',
  '#3d5a99',
  '#808080',
  '#1f9bff',
] as const

export const clusterShapes = ['circle', 'square', 'triangle', 'diamond', 'inverted-triangle'] as const
export type ClusterShape = (typeof clusterShapes)[number]

/** `#rrggbb`, as a colour field gives it. */
export function rgbOfHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const goldenAngle = 137.507764
const lightnesses = [0.6, 0.72, 0.5] as const

function generated(cluster: number): Rgb {
  return rgbOfOklch(lightnesses[cluster % lightnesses.length] ?? 0.6, 0.13, (cluster * goldenAngle) % 360)
}

/** The colour of a cluster among k; the same everywhere in the window. */
export function clusterColour(cluster: number, k: number): Rgb {
  const fixed = k <= okabeIto.length ? okabeIto : twenty
  const hex = k <= twenty.length ? fixed[cluster] : undefined
  return hex === undefined ? generated(cluster) : rgbOfHex(hex)
}

export function cssColour([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`
}

export function clusterShape(cluster: number): ClusterShape {
  return clusterShapes[cluster % clusterShapes.length] ?? 'circle'
}

/** A colour as one opaque ImageData pixel read as a little-endian 32 bit word. */
export function pixelOf([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

/** The pixel of every cluster. */
export function clusterPixels(k: number): Uint32Array {
  return Uint32Array.from({ length: k }, (_, cluster) => pixelOf(clusterColour(cluster, k)))
}
