export const plotFormats = ['png', 'svg'] as const
export type PlotFormat = (typeof plotFormats)[number]

/** A plot as it is shown, drawn by the window; `name` without extension, e.g. `clusters`. */
export interface PlotImage {
  readonly name: string
  readonly format: PlotFormat
  readonly bytes: Uint8Array
}

/** A plot among others in a document, with what it is headed by there. */
export interface TitledPlot extends PlotImage {
  readonly title: string
}

export const plotUnits = ['cm', 'px'] as const
export const plotColours = ['screen', 'light', 'dark'] as const

/** How a plot is drawn into a file that goes into a paper. */
export interface PlotLook {
  readonly unit: (typeof plotUnits)[number]
  /** Of the whole picture, in the unit; pixels are those of a PNG. */
  readonly width: number
  readonly height: number
  /** Pixels an inch. */
  readonly dpi: number
  /** Points (1/72 inch) of the letters beside the axes. */
  readonly fontPt: number
  /** A paper has its caption below. */
  readonly title: boolean
  readonly legend: boolean
  /** Paths of centroids. */
  readonly trails: boolean
  readonly colours: (typeof plotColours)[number]
}

/** A figure over the width of a page. */
export const usualPlotLook: PlotLook = {
  unit: 'cm',
  width: 16,
  height: 11,
  dpi: 300,
  fontPt: 8,
  title: true,
  legend: true,
  trails: true,
  colours: 'light',
}
