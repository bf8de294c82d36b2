/**
 * Joins the two layers of the scatter plot: Chart.js axes and centroids above, the points drawn by a worker
 * beneath, both for the same view. One animation frame carries out all that was asked for since the last.
 */
import { Chart } from './chart'
import { pixelOf } from './colours'
import { FrameProbe } from './frame-probe'
import { listenToGestures, viewOfBox, type Pixel, type PlotTool } from './gestures'
import { pointRadius } from './glyphs'
import { paletteOf, type Palette } from './palette'
import type { PlotColumn } from './plot-column'
import { RasterLayer } from './raster-layer'
import { isSameView, type RasterView } from './raster'
import type { RasterAnswer } from './raster-messages'
import { densityRamp, groundOf } from './scatter/density-ramp'
import type { ScatterFigureState } from './scatter/figure-state'
import { trailsPlugin, type CentroidTrails } from './scatter/trails'
import { centroidDataset, namesPlugin, scatterChart, type CentroidMark } from './scatter-chart'
import { onThemeChange, readTheme, rgbOfCss, type PlotTheme } from './theme'
import { panBy, viewAfterKey, wholeView, zoomAt, type Viewport } from './viewport'

type ScatterChart = Chart<'scatter', { x: number; y: number }[]>
type Enclosing = Exclude<PlotTool, 'move'>
const unit = { min: 0, max: 1 }
/** How near the pointer must come to a point, CSS pixels; a key looks further. */
const reach = { pointer: 8, key: 48 } as const
const toolKeys: Readonly<Record<string, PlotTool>> = { m: 'move', z: 'zoom', l: 'lasso' }

export interface ScatterEvents {
  /** Row under the pointer, and where the pointer is in CSS pixels of the plot. */
  hover(row: number | null, at: Pixel): void
  select(rows: Uint32Array, how: 'replace' | 'add'): void
  tool(tool: PlotTool): void
  /** Box or lasso under way. */
  outline(tool: Enclosing, path: readonly Pixel[] | null): void
  /** Points of the densest cell of the view; null where points are drawn. */
  densest(count: number | null): void
  /** A picture of the points is there. */
  painted(): void
}

export class ScatterController {
  private readonly layer: RasterLayer
  private readonly picture: ImageBitmapRenderingContext | null
  private readonly probe: FrameProbe
  private readonly forget: (() => void)[]
  private chart: ScatterChart
  private theme: PlotTheme
  private view: Viewport = wholeView(unit, unit)
  private columns: { readonly x: PlotColumn; readonly y: PlotColumn } | null = null
  private labels: Int32Array | null = null
  private marks: readonly CentroidMark[] = []
  private trails: CentroidTrails | null = null
  private selected: Uint32Array | null = null
  private palette: Palette = paletteOf(1)
  /** Of the centroids, where the points are coloured by something else; null: as the points. */
  private marksPalette: Palette | null = null
  private tool: PlotTool = 'move'
  private highlighted: number | null = null
  private density = false
  /** Of the picture that is shown. */
  private pictured: RasterView | null = null
  private frame = 0
  private pointer: Pixel | null = null
  private picking = false
  private isDisposed = false
  private labelling = 0
  /** The view that was asked for last; null where what lies in it has changed since. */
  private asked: RasterView | null = null

  constructor(
    private readonly root: HTMLElement,
    /** Cuts the picture of the points at the frame of the plot. */
    private readonly frameOfPoints: HTMLElement,
    private readonly points: HTMLCanvasElement,
    private readonly axes: HTMLCanvasElement,
    private readonly events: ScatterEvents,
  ) {
    this.theme = readTheme(root)
    this.picture = points.getContext('bitmaprenderer')
    this.layer = new RasterLayer((answer, view) => this.painted(answer, view))
    this.probe = new FrameProbe(root)
    this.chart = this.buildChart()
    this.forget = [onThemeChange(() => this.themeChanged()), this.listen(), this.watchSize()]
  }

  private buildChart(): ScatterChart {
    const current = () => ({
      marks: this.marks,
      palette: this.marksPalette ?? this.palette,
      theme: this.theme,
      trails: this.trails,
      dates: { x: this.columns?.x.dateUnit, y: this.columns?.y.dateUnit },
    })
    const config = scatterChart(this.theme, this.view, current, () => this.schedule())
    config.plugins = [trailsPlugin(current), namesPlugin(current)]
    return new Chart(this.axes, config)
  }

  private watchSize(): () => void {
    const observer = new ResizeObserver(() => this.schedule())
    observer.observe(this.root)
    return () => observer.disconnect()
  }

  private listen(): () => void {
    return listenToGestures(this.root, () => this.chart.chartArea, {
      tool: () => this.tool,
      pan: (shareX, shareY) => this.show(panBy(this.view, shareX, shareY)),
      zoom: (shareX, shareY, factor) => this.show(zoomAt(this.view, shareX, shareY, factor)),
      outline: (tool, path) => this.events.outline(tool, path),
      enclose: (tool, path) => this.enclose(tool, path),
      click: (position, add) => void this.select(position, reach.pointer, add),
      hover: (position) => this.hover(position),
      reset: () => this.reset(),
      key: (key) => this.key(key),
    })
  }

  private key(key: string): boolean {
    const tool = toolKeys[key]
    if (tool) this.events.tool(tool)
    else if (key === 'Escape') this.events.select(new Uint32Array(), 'replace')
    else if (key === 'Enter') void this.select(this.middle(), reach.key, false)
    else {
      const next = viewAfterKey(this.view, key)
      if (next === 'whole') this.reset()
      else if (next) this.show(next)
      return next !== null
    }
    return true
  }

  private middle(): Pixel {
    const { left, top, width, height } = this.chart.chartArea
    return { x: left + width / 2, y: top + height / 2 }
  }

  private show(view: Viewport): void {
    this.view = view
    this.probe.touch()
    this.schedule()
  }

  /** The whole of the data again. */
  reset(): void {
    if (this.columns) this.show(wholeView(this.columns.x, this.columns.y))
  }

  private enclose(tool: Enclosing, path: readonly Pixel[]): void {
    this.events.outline(tool, null)
    if (tool === 'zoom') {
      const box = viewOfBox(this.view, this.chart.chartArea, path)
      if (box.maxX > box.minX && box.maxY > box.minY) this.show(box)
      return
    }
    const positions = path.map((position) => this.relative(position))
    const xs = Float64Array.from(positions, ({ x }) => x)
    const ys = Float64Array.from(positions, ({ y }) => y)
    void this.layer.lasso({ xs, ys }).then((rows) => this.events.select(rows, 'replace'))
  }

  /** A pixel in units relative to the columns' offsets, as the worker holds them. */
  private relative({ x, y }: Pixel): { x: number; y: number } {
    const { left, top, width, height } = this.chart.chartArea
    const { view, columns } = this
    const fileX = view.minX + ((x - left) / width) * (view.maxX - view.minX)
    const fileY = view.maxY - ((y - top) / height) * (view.maxY - view.minY)
    return {
      x: (fileX - (columns?.x.offset ?? 0)) / (columns?.x.unit ?? 1),
      y: (fileY - (columns?.y.offset ?? 0)) / (columns?.y.unit ?? 1),
    }
  }

  private async pick(position: Pixel, pixels: number): Promise<number | null> {
    const [from, to] = [
      this.relative(position),
      this.relative({ x: position.x + pixels, y: position.y - pixels }),
    ]
    return this.layer.pick({ ...from, reachX: to.x - from.x, reachY: to.y - from.y })
  }

  private async select(position: Pixel, pixels: number, add: boolean): Promise<void> {
    const row = await this.pick(position, pixels)
    if (row !== null) this.events.select(Uint32Array.of(row), add ? 'add' : 'replace')
    else if (!add) this.events.select(new Uint32Array(), 'replace')
  }

  /** One question at a time; while it is answered only the newest place is kept. */
  private hover(position: Pixel | null): void {
    this.pointer = position
    if (!position) this.events.hover(null, { x: 0, y: 0 })
    if (position && !this.picking) void this.pickUnderPointer()
  }

  private async pickUnderPointer(): Promise<void> {
    this.picking = true
    for (let asked: Pixel | null = null; this.pointer && this.pointer !== asked;) {
      asked = this.pointer
      const row = await this.pick(asked, reach.pointer)
      if (this.pointer) this.events.hover(row, asked)
    }
    this.picking = false
  }

  private themeChanged(): void {
    this.theme = readTheme(this.root)
    this.chart.destroy()
    this.chart = this.buildChart()
    this.setMarks(this.marks, this.trails)
  }

  setTool(tool: PlotTool): void {
    this.tool = tool
  }

  /** New columns show whole; they start without labels and selection. */
  setColumns(x: PlotColumn, y: PlotColumn): void {
    this.columns = { x, y }
    this.pictured = null
    this.labels = null
    this.view = wholeView(x, y)
    this.layer.setPoints(x.values, y.values, () => this.pointsChanged())
    this.pointsChanged()
  }

  setLabels(labels: Int32Array | null): void {
    if (labels === this.labels) return
    this.labels = labels
    this.labelling++
    this.layer.setLabels(labels, () => this.pointsChanged())
    this.probe.touch()
    this.pointsChanged()
    // The palette changes in the same turn; the worker begins after it, not only in the next frame.
    queueMicrotask(() => this.drawPoints())
  }

  /** Labels and palette that are about to be shown: the worker paints them while the window does all else. */
  paintAhead(labels: Int32Array, palette: Palette): void {
    if (labels.length !== this.columns?.x.values.length) return
    this.setLabels(labels)
    this.palette = palette
    this.drawPoints()
  }

  /** @param marks of the centroids and their paths, where it is not that of the points */
  setPalette(palette: Palette, marks: Palette | null = null): void {
    this.palette = palette
    this.marksPalette = marks
    this.setMarks(this.marks, this.trails)
  }

  setHighlighted(cluster: number | null): void {
    this.highlighted = cluster
    this.schedule()
  }

  /** How many points there are in each place, in place of the points. */
  setDensity(on: boolean): void {
    this.density = on
    this.schedule()
  }

  setSelected(rows: Uint32Array | null): void {
    this.selected = rows
    this.layer.setSelected(rows)
    this.pointsChanged()
  }

  setMarks(marks: readonly CentroidMark[], trails: CentroidTrails | null): void {
    this.marks = marks
    this.trails = trails
    this.chart.data.datasets = [centroidDataset(marks, this.marksPalette ?? this.palette, this.theme)]
    this.schedule()
  }

  /** What is painted, and not only how it is looked at. */
  private pointsChanged(): void {
    this.asked = null
    this.schedule()
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw())
  }

  private draw(): void {
    this.frame = 0
    const { scales } = this.chart.options
    Object.assign(scales?.['x'] ?? {}, { min: this.view.minX, max: this.view.maxX })
    Object.assign(scales?.['y'] ?? {}, { min: this.view.minY, max: this.view.maxY })
    this.chart.update('none')
    this.root.dataset['centroids'] = String(this.marks.length)
    this.drawPoints()
  }

  private drawPoints(): void {
    if (this.isDisposed) return
    const { left, top, width, height } = this.chart.chartArea
    if (!this.columns || width < 1 || height < 1) return
    const position = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
    Object.assign(this.frameOfPoints.style, position)
    this.follow()
    const view = this.rasterView(width, height)
    if (this.asked && isSameView(this.asked, view)) return
    this.asked = view
    this.layer.paint(view)
  }

  private rasterView(width: number, height: number): RasterView {
    const { x, y } = this.columns ?? { x: null, y: null }
    if (!x || !y) throw new Error('no columns')
    const ratio = devicePixelRatio
    return {
      width: Math.round(width * ratio),
      height: Math.round(height * ratio),
      minX: (this.view.minX - x.offset) / x.unit,
      maxX: (this.view.maxX - x.offset) / x.unit,
      minY: (this.view.minY - y.offset) / y.unit,
      maxY: (this.view.maxY - y.offset) / y.unit,
      radius: pointRadius(x.values.length) * ratio,
      ratio,
      colours: this.palette.pixels,
      shapes: this.palette.shapes,
      neutral: pixelOf(rgbOfCss(this.theme.neutralPoint)),
      ring: pixelOf(rgbOfCss(this.theme.ink)),
      highlighted: this.highlighted,
      labelling: this.labelling,
      density: this.density ? densityRamp(groundOf(this.theme)) : null,
    }
  }

  /** Until the worker has drawn the view, the picture before is moved and stretched with it: no frame waits for points. */
  private follow(): void {
    const { pictured, columns, view } = this
    if (!pictured || !columns) return
    const [x, y] = [columns.x, columns.y]
    const [spanX, spanY] = [(view.maxX - view.minX) / x.unit, (view.maxY - view.minY) / y.unit]
    const [left, top] = [(view.minX - x.offset) / x.unit, (view.maxY - y.offset) / y.unit]
    const scaleX = (pictured.maxX - pictured.minX) / spanX
    const scaleY = (pictured.maxY - pictured.minY) / spanY
    const shiftX = (100 * (pictured.minX - left)) / spanX
    const shiftY = (100 * (top - pictured.maxY)) / spanY
    const isThere = scaleX === 1 && scaleY === 1 && shiftX === 0 && shiftY === 0
    this.points.style.transform = isThere
      ? ''
      : `translate(${shiftX}%, ${shiftY}%) scale(${scaleX}, ${scaleY})`
  }

  private painted({ picture, drawn, densest, milliseconds, coloured }: RasterAnswer, view: RasterView): void {
    this.picture?.transferFromImageBitmap(picture)
    this.pictured = view
    this.follow()
    this.events.densest(densest)
    this.root.dataset['labelling'] = String(view.labelling)
    this.root.dataset['pointsDrawn'] = String(drawn)
    this.root.dataset['paintMs'] = milliseconds.toFixed(2)
    this.root.dataset['coloured'] = String(coloured)
    this.events.painted()
  }

  /** What is shown, to draw it again elsewhere; null before there are columns. */
  figure(): ScatterFigureState | null {
    if (!this.columns) return null
    const { view, columns, labels, palette, marksPalette, marks, trails, selected, density } = this
    const { clientWidth: width, clientHeight: height } = this.root
    const shown = { labels, palette, marksPalette, marks, trails, selected, density }
    return { width, height, view, ...columns, ...shown }
  }

  dispose(): void {
    this.isDisposed = true
    cancelAnimationFrame(this.frame)
    for (const forget of this.forget) forget()
    this.probe.dispose()
    this.layer.dispose()
    this.chart.destroy()
  }
}
