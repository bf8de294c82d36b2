/** A plot of the window as others see it: its name, and what can be made of it. */
import type { PlotFormat, PlotImage } from '@shared/plot-image'

export interface FigureEntry {
  /** File name without extension. */
  readonly name: string
  /** What it is called in a sentence, such as “Inertia”. */
  readonly title: string
  image(format: PlotFormat): Promise<PlotImage>
  /** Puts a PNG on the clipboard. */
  copy(): Promise<void>
  /** Null when the person closed the dialog. */
  save(format: PlotFormat): Promise<{ readonly path: string; readonly bytes: number } | null>
}
