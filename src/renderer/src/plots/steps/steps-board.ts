/** Paints the panels one after the other, in one worker: what is no longer in sight when its turn comes is left. */
import { pixelOf } from '../colours'
import type { PictureMarks, Picture } from '../figure/paint-messages'
import { PaintWorker } from '../figure/paint-worker'
import { rasterView } from '../figure/scatter-figure'
import { pointRadius } from '../glyphs'
import type { Palette } from '../palette'
import { centroidRadius, type CentroidMark } from '../scatter-chart'
import { rgbOfCss, type PlotTheme } from '../theme'
import type { Viewport } from '../viewport'
import { ColumnCache } from './column-cache'
import type { StepPanel } from './panel'

/** What all panels have in common. */
export interface BoardLook {
  readonly view: Viewport
  readonly palette: Palette
  readonly theme: PlotTheme
  /** Of the area between the axes, CSS pixels. */
  readonly width: number
  readonly height: number
}

/** Marks are smaller than in the large plot, and so are their rims. */
const smaller = 0.65
/** CSS pixels. */
export const panelRadius = (points: number): number => Math.max(1, smaller * pointRadius(points))
export const panelMarkRadius = (k: number): number => Math.max(3, smaller * centroidRadius(k))
export const panelOutline = 1
export const panelRing = 1.5

/** Centroids as the painter takes them, for `scale` image pixels a CSS pixel. */
function pictureMarks(marks: readonly CentroidMark[], look: BoardLook, scale: number): PictureMarks {
  const { view, palette, theme, width, height } = look
  const spots = marks
    .map(({ cluster, x, y }) => ({
      left: (scale * width * (x - view.minX)) / (view.maxX - view.minX),
      top: (scale * height * (view.maxY - y)) / (view.maxY - view.minY),
      shape: palette.shape(cluster),
      colour: palette.css(cluster),
    }))
    .filter(({ left, top }) => Number.isFinite(left) && Number.isFinite(top))
  const { ink, ground } = theme
  const widths = { radius: panelMarkRadius(palette.k), outline: panelOutline, ring: panelRing }
  return {
    spots,
    radius: scale * widths.radius,
    outline: scale * widths.outline,
    ring: scale * widths.ring,
    ink,
    ground,
  }
}

export class StepsBoard {
  private readonly painter = new PaintWorker()
  private readonly columnCache = new ColumnCache(this.painter)
  private last: Promise<unknown> = Promise.resolve()

  private queued<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.last.then(job)
    // One panel that fails does not stop the next.
    this.last = mine.catch(() => null)
    return mine
  }

  private async picture(
    panel: StepPanel,
    look: BoardLook,
    scale: number,
    wanted: () => boolean,
  ): Promise<Omit<Picture, 'marks'> | null> {
    const x = await this.columnCache.hold(panel.x, wanted)
    const y = x && (await this.columnCache.hold(panel.y, wanted))
    const labels = y && (await this.columnCache.hold(panel.labels, wanted))
    if (!x || !y || !labels || !wanted()) return null
    const style = {
      radius: panelRadius(panel.points),
      colours: look.palette.pixels,
      neutral: pixelOf(rgbOfCss(look.theme.neutralPoint)),
    }
    const view = rasterView(look, look.view, { x, y }, style, scale)
    return { x: panel.x.key, y: panel.y.key, labels: panel.labels.key, view }
  }

  /** Points and centroids, `scale` pixels for a CSS pixel; null when it was no longer wanted. */
  paint(
    panel: StepPanel,
    look: BoardLook,
    scale: number,
    wanted: () => boolean,
  ): Promise<ImageBitmap | null> {
    return this.queued(async () => {
      const picture = wanted() ? await this.picture(panel, look, scale, wanted) : null
      const marks = pictureMarks(panel.marks, look, scale)
      return picture && this.painter.bitmap({ ...picture, marks })
    })
  }

  /** The points alone as the `data:` address of a PNG. */
  href(panel: StepPanel, look: BoardLook, scale: number): Promise<string> {
    return this.queued(async () => {
      const picture = await this.picture(panel, look, scale, () => true)
      return picture ? this.painter.href({ ...picture, marks: null }) : ''
    })
  }

  /** Lets go of all columns: others are shown now. */
  forget(): void {
    void this.queued(() => Promise.resolve(this.columnCache.clear()))
  }

  dispose(): void {
    this.painter.dispose()
  }
}
