/** A plot of a comparison as data: what is shown, its key, its tips; figures for the screen and for files come from it. */
import type { Figure, FigureAxis, FigureCaption, FigureLayer, FigureSwatch } from '../figure/figure'
import { leftRoom } from '../figure/layout'
import { titleLineHeight, titleLines } from '../figure/svg'
import { aboutWidth, wrapped } from '../figure/svg-text'
import type { BenchmarkTheme } from './benchmark-theme'

/** What is said of a place under the pointer, with full values. */
export interface PlotTip {
  readonly x: number
  readonly y: number
  readonly title: string
  readonly lines: readonly string[]
}

export interface KeyEntry extends FigureSwatch {
  readonly label: string
}

/** What lies in and around the frame at a size. */
export interface PlotBody {
  readonly x: FigureAxis
  readonly y: FigureAxis
  /** CSS pixels right of the frame, for words beside marks. */
  readonly right: number
  readonly layers: readonly FigureLayer[]
  readonly key: readonly KeyEntry[]
}

export interface BenchmarkPlot {
  /** File name without extension. */
  readonly name: string
  readonly title: string
  /** How to read it, one phrase; empty for none. */
  readonly note: string
  /** What is to be seen, for who cannot see it; sentences. */
  readonly summary: string
  /** What else must be said below the plot: contenders without a time, crossovers. */
  readonly remarks: readonly string[]
  readonly tips: readonly PlotTip[]
  /** Along which axis the nearest tip is looked for. */
  readonly tipAxis: 'x' | 'y' | 'xy'
  /**
   * CSS pixels between top and bottom of the frame at a width of the figure. `room`: what is in sight at once, which a plot
   * of lines fits into and one with a line for each contender may pass.
   */
  height(width: number, room?: number): number
  /** `height`: of the frame. */
  body(size: { readonly width: number; readonly height: number }, theme: BenchmarkTheme): PlotBody
}

/** CSS pixels of a plot in a file: as wide as a page's text. */
export const fileWidth = 720

const margin = 12
const lineHeight = 16
/** Below the frame: ticks of the horizontal axis, and its name. */
const [tickRoom, nameRoom] = [24, 18]
const noteSize = 11

/** The key in lines that fit, from a top downwards. */
function keyCaptions(
  key: readonly KeyEntry[],
  from: number,
  width: number,
): { captions: FigureCaption[]; lines: number } {
  let [left, line] = [margin, 0]
  const captions = key.map(({ label, ...swatch }) => {
    const room = aboutWidth(label, noteSize) + 15 + 14
    if (left > margin && left + room > width) [left, line] = [margin, line + 1]
    const caption = { left, top: from + line * lineHeight, text: label, swatch }
    left += room
    return caption
  })
  return { captions, lines: key.length > 0 ? line + 1 : 0 }
}

/** The frame with its axes alone, as the window shows it: title, note and key stand around it. */
export function bareFigure(
  plot: BenchmarkPlot,
  width: number,
  theme: BenchmarkTheme,
  room = Infinity,
): Figure & { readonly key: readonly KeyEntry[] } {
  const height = plot.height(width, room)
  const { key, right, ...axes } = plot.body({ width, height }, theme)
  const left = leftRoom(axes.y)
  const frame = { left, top: 8, width: Math.max(1, width - left - right), height }
  const panel = { title: '', details: [], overhang: 5, frame, ...axes }
  const below = tickRoom + (axes.x.label === '' ? 0 : nameRoom)
  return { title: '', width, height: 8 + height + below, theme, panels: [panel], key }
}

/** The whole plot for a file: with its title, how to read it, and its key. */
export function fileFigure(plot: BenchmarkPlot, width: number, theme: BenchmarkTheme): Figure {
  const { key, panels, height } = bareFigure(plot, width, theme)
  const titleRoom = margin + titleLines(plot.title, width).length * titleLineHeight
  const note = plot.note === '' ? [] : wrapped(plot.note, width - 2 * margin, noteSize)
  const notes = note.map((text, at) => ({
    left: margin,
    top: titleRoom + 8 + at * lineHeight,
    text,
    swatch: null,
  }))
  const above = titleRoom + notes.length * lineHeight
  const { captions, lines } = keyCaptions(key, above + 10, width - margin)
  const down = above + lines * lineHeight + 8
  return {
    title: plot.title,
    width,
    height: height + down,
    theme,
    panels: panels.map((panel) => ({ ...panel, frame: { ...panel.frame, top: panel.frame.top + down } })),
    captions: [...notes, ...captions],
  }
}
