/** The colours of densities: lightness rises or falls all the way, so that a reader who sees no hues sees the same order. */
import { rgbOfOklch, type Rgb } from '@shared/colour'
import { pixelOf } from '../colours'
import { rgbOfCss, type PlotTheme } from '../theme'
import { rampSteps } from './density'

interface End {
  readonly lightness: number
  readonly chroma: number
  readonly hue: number
}

/** From few points to many; what is many stands out from the ground. */
const ends: Readonly<Record<'light' | 'dark', readonly [End, End]>> = {
  light: [
    { lightness: 0.78, chroma: 0.09, hue: 215 },
    { lightness: 0.26, chroma: 0.13, hue: 280 },
  ],
  dark: [
    { lightness: 0.4, chroma: 0.12, hue: 280 },
    { lightness: 0.95, chroma: 0.11, hue: 100 },
  ],
}

/** Which ramp stands out from a ground, `rgb(...)`. */
export function groundOf({ ground }: Pick<PlotTheme, 'ground'>): 'light' | 'dark' {
  const [red, green, blue] = rgbOfCss(ground)
  return red + green + blue > 3 * 128 ? 'light' : 'dark'
}

/** The colour at a share 0..1 of the ramp. */
export function densityColour(ground: 'light' | 'dark', share: number): Rgb {
  const [few, many] = ends[ground]
  const between = (part: keyof End): number => few[part] + share * (many[part] - few[part])
  return rgbOfOklch(between('lightness'), between('chroma'), between('hue'))
}

/** ImageData words. */
export function densityRamp(ground: 'light' | 'dark'): Uint32Array {
  return Uint32Array.from({ length: rampSteps }, (_, step) =>
    pixelOf(densityColour(ground, step / (rampSteps - 1))),
  )
}

/** Of the length of a legend: numbers nearer to each other than this would cover each other. */
const minGap = 0.22

/** Counts that a legend names: powers of ten as far apart as their numbers need, and the densest cell. */
export function legendCounts(densest: number): readonly number[] {
  if (densest <= 1) return densest === 1 ? [1] : []
  const decades = Math.log10(densest)
  const step = Math.max(1, Math.ceil(minGap * decades))
  const powers = Array.from({ length: Math.floor(decades / step) + 1 }, (_, i) => i * step)
  const apart = powers.filter((power) => power === 0 || (decades - power) / decades >= minGap)
  return [...apart.map((power) => 10 ** power), densest]
}
