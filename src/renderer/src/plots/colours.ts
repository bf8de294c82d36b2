/** Cluster colours: Okabe-Ito up to 8, a fixed set up to 20, generated in OKLCH beyond; a shape as second cue. */

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

export type Rgb = readonly [number, number, number]
export const clusterShapes = ['circle', 'square', 'triangle', 'diamond'] as const
export type ClusterShape = (typeof clusterShapes)[number]

/** `#rrggbb`, as a colour field gives it. */
export function rgbOfHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function hexOfRgb(rgb: Rgb): string {
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const gamma = (linear: number): number =>
  linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
const byte = (share: number): number => Math.round(255 * Math.min(1, Math.max(0, share)))

/** OKLCH to sRGB, colours outside the gamut clipped; hue in degrees. Source: Ottosson, "A perceptual color space". */
export function rgbOfOklch(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    byte(gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)),
    byte(gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)),
    byte(gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)),
  ]
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
