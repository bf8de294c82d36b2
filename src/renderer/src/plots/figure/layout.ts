/** Where the frame of a single plot lies: room for its title above, its ticks and axis names left and below. */
import type { FigureAxis, Frame } from './figure'
import { aboutWidth } from './svg-text'
import { titleLineHeight, titleLines } from './svg'

const tickSize = 11
const right = 16

/** Room that the ticks and the name of a vertical axis take on its left. */
export function leftRoom({ label, ticks }: Pick<FigureAxis, 'label' | 'ticks'>): number {
  const widest = Math.max(0, ...ticks.map((tick) => aboutWidth(tick.label, tickSize)))
  return Math.ceil(widest) + 14 + (label === '' ? 0 : 18)
}

/** The frame of a figure that is one plot. */
export function soleFrame(title: string, width: number, height: number, y: FigureAxis): Frame {
  const left = leftRoom(y)
  const top = 14 + titleLines(title, width).length * titleLineHeight
  return { left, top, width: Math.max(1, width - left - right), height: Math.max(1, height - top - 42) }
}
