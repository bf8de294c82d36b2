/** A plot as data: what is shown, in units of its axes, at a size in CSS pixels. svg.ts writes it down. */
import type { ClusterShape } from '../colours'
import type { PlotTheme } from '../theme'

export interface FigureTick {
  readonly value: number
  readonly label: string
}

export interface FigureAxis {
  /** Name with its unit; empty where none is shown. */
  readonly label: string
  /** At the left or at the bottom. */
  readonly min: number
  /** At the right or at the top. */
  readonly max: number
  readonly log: boolean
  readonly ticks: readonly FigureTick[]
  /** Beyond a value no scale goes on: what stands there has these names, which are among the ticks. */
  readonly aside?: { readonly from: number; readonly ticks: readonly FigureTick[] }
}

/** The area between the axes, in CSS pixels of the figure. */
export interface Frame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface PointLook {
  readonly shape: ClusterShape
  readonly colour: string
}

/** (n) points; `looks[look[i]]` says how point i looks. Later ones lie above earlier ones. NaN is not drawn. */
export interface PointsLayer {
  readonly kind: 'points'
  readonly xs: ArrayLike<number>
  readonly ys: ArrayLike<number>
  readonly look: ArrayLike<number>
  readonly looks: readonly PointLook[]
  readonly radius: number
  /** Of the layer as a whole; absent: opaque. */
  readonly opacity?: number
}

/** A picture over the whole frame, as a `data:` address. */
export interface ImageLayer {
  readonly kind: 'image'
  readonly href: string
}

/** A poly-line; NaN interrupts it. `name` is what a reader of the file is told about it. */
export interface LineLayer {
  readonly kind: 'line'
  readonly name: string
  readonly colour: string
  readonly xs: ArrayLike<number>
  readonly ys: ArrayLike<number>
  readonly width: number
  readonly opacity: number
  /** Radius of a dot on every place; 0 for none. */
  readonly dots: number
}

export interface FigureMark extends PointLook {
  readonly x: number
  readonly y: number
  /** Written beside it; empty for none. */
  readonly label: string
}

/** Large outlined marks above the points, on a ring of the ground's colour; widths in CSS pixels. */
export interface MarksLayer {
  readonly kind: 'marks'
  readonly marks: readonly FigureMark[]
  readonly radius: number
  readonly outline: number
  readonly ring: number
}

/** A thin line right across: at a place of the horizontal axis (upright) or of the vertical one. */
export interface MarkerLayer {
  readonly kind: 'marker'
  readonly axis: 'x' | 'y'
  readonly at: number
  readonly colour: string
}

export interface FigureBar {
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
  readonly colour: string
  /** Written right of it; empty for none. */
  readonly label: string
  /** An outline only: what it stands for does not count. */
  readonly hollow?: boolean
}

export interface BarsLayer {
  readonly kind: 'bars'
  readonly bars: readonly FigureBar[]
}

/** The area between two poly-lines over the same places. */
export interface BandLayer {
  readonly kind: 'band'
  readonly xs: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
  readonly colour: string
  readonly opacity: number
  /** The places lie on the vertical axis, low and high on the horizontal one. */
  readonly turned?: boolean
}

/** Words at a place, moved by CSS pixels; they may reach out of the frame. */
export interface FigureText {
  readonly x: number
  readonly y: number
  readonly dx: number
  /** Downwards, of the middle of the letters. */
  readonly dy: number
  readonly text: string
  readonly colour: string
  readonly anchor: 'start' | 'middle' | 'end'
  /** On a rim in the ground's colour, where lines run below the words. */
  readonly rim?: boolean
  /** Drawn left of the words, which must start at their place. */
  readonly mark?: PointLook
  /** Stands right of the frame, whatever part of it is shown, apart from others that do. */
  readonly beside?: boolean
}

export interface TextsLayer {
  readonly kind: 'texts'
  readonly texts: readonly FigureText[]
}

export type FigureLayer =
  PointsLayer | ImageLayer | LineLayer | MarksLayer | MarkerLayer | BarsLayer | BandLayer | TextsLayer

/** One pair of axes with what lies between them; a plain plot has one, small multiples have many. */
export interface FigurePanel {
  /** Above the frame; empty for none. */
  readonly title: string
  /** Lines below the title, quieter. */
  readonly details: readonly string[]
  /** How far layers may reach out of the frame before they are cut off. */
  readonly overhang: number
  readonly frame: Frame
  readonly x: FigureAxis
  readonly y: FigureAxis
  /** In drawing order. */
  readonly layers: readonly FigureLayer[]
}

/** Quiet words outside the frames: a note, or a key, with what they stand for on their left. */
export interface FigureCaption {
  readonly left: number
  /** Of the middle of the letters. */
  readonly top: number
  readonly text: string
  /** Null for a note. */
  readonly swatch: FigureSwatch | null
}

export interface FigureSwatch {
  readonly shape: ClusterShape | 'bar'
  readonly colour: string
  /** An outline, as of what a study published. */
  readonly hollow?: boolean
}

export interface Figure {
  readonly title: string
  readonly width: number
  readonly height: number
  readonly theme: PlotTheme
  readonly panels: readonly FigurePanel[]
  readonly captions?: readonly FigureCaption[]
}

/** Where a value lies along an axis as a share 0..1 from its start; NaN where a logarithm has none. */
export function shareOf(axis: FigureAxis, value: number): number {
  if (!axis.log) return (value - axis.min) / (axis.max - axis.min)
  return Math.log(value / axis.min) / Math.log(axis.max / axis.min)
}

/** The value at a share 0..1 of an axis. */
export function valueAt({ min, max, log }: FigureAxis, share: number): number {
  return log ? min * (max / min) ** share : min + share * (max - min)
}

/** CSS pixels from the left of the figure. */
export function leftOf({ frame, x }: FigurePanel, value: number): number {
  return frame.left + frame.width * shareOf(x, value)
}

/** CSS pixels from the top of the figure. */
export function topOf({ frame, y }: Pick<FigurePanel, 'frame' | 'y'>, value: number): number {
  return frame.top + frame.height * (1 - shareOf(y, value))
}
