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
