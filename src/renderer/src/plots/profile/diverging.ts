/** Colours of deviations: blue below, orange above, the ground where there is none. Words in the usual ink stay readable on all of them. */
import { rgbOfOklch, type Rgb } from '@shared/colour'
import { cssColour } from '../colours'
import { groundOf } from '../scatter/density-ramp'
import { rgbOfCss, type PlotTheme } from '../theme'

/** Standard deviations at which the colour is full. */
export const fullDeviation = 2

const hues = { below: 250, above: 62 } as const
const full = { light: { lightness: 0.76, chroma: 0.12 }, dark: { lightness: 0.46, chroma: 0.1 } } as const

const mixed = (from: Rgb, to: Rgb, share: number): Rgb => {
  const part = (at: 0 | 1 | 2): number => Math.round(from[at] + share * (to[at] - from[at]))
  return [part(0), part(1), part(2)]
}

/** The colour of a deviation in standard deviations; NaN has the ground's. */
export function deviationColour(deviation: number, theme: PlotTheme): string {
  const ground = rgbOfCss(theme.ground)
  if (!Number.isFinite(deviation)) return cssColour(ground)
  const { lightness, chroma } = full[groundOf(theme)]
  const end = rgbOfOklch(lightness, chroma, deviation < 0 ? hues.below : hues.above)
  return cssColour(mixed(ground, end, Math.min(1, Math.abs(deviation) / fullDeviation)))
}
