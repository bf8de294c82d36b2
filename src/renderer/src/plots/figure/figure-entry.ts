/** A plot of the window as others see it: its name, and what can be made of it. */
import type { PlotFormat, PlotImage, PlotLook } from '@shared/plot-image'
import type { FigureAdjustments } from './print-size'

export interface FigurePreview {
  readonly svg: Uint8Array<ArrayBuffer>
  readonly width: number
  readonly height: number
}

export interface FigureEntry {
  /** File name without extension. */
  readonly name: string
  /** What it is called in a sentence, such as “Inertia”. */
  readonly title: string
  /** What of a look it can follow. */
  readonly adjusts: FigureAdjustments
  /** @param look how it is drawn; as it stands without one */
  image(format: PlotFormat, look?: PlotLook): Promise<PlotImage>
  /** As an SVG for the eye alone, and the pixels a PNG would have. */
  preview(look: PlotLook): Promise<FigurePreview>
  /** Puts a PNG on the clipboard. */
  copy(): Promise<void>
  /** Null when the person closed the dialog. */
  save(format: PlotFormat, look?: PlotLook): Promise<{ readonly path: string; readonly bytes: number } | null>
}
