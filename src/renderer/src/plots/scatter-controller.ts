/**
 * Joins the two layers of the scatter plot: Chart.js axes and centroids above, the points drawn by a worker
 * beneath, both for the same view. One animation frame carries out all that was asked for since the last.
 */
import { Chart } from './chart'
import { clusterPixels, pixelOf } from './colours'
import { FrameProbe } from './frame-probe'
import { pointRadius } from './glyphs'
import type { PlotColumn } from './plot-column'
import { RasterLayer } from './raster-layer'
import type { RasterAnswer } from './raster-messages'
import { centroidDataset, numbersPlugin, scatterChart, type CentroidMark } from './scatter-chart'
import { listenToGestures } from './gestures'
import { onThemeChange, readTheme, rgbOfCss, type PlotTheme } from './theme'
import { panBy, viewAfterKey, wholeView, zoomAt, type Viewport } from './viewport'

type ScatterChart = Chart<'scatter', { x: number; y: number }[]>
const unit = { min: 0, max: 1 }

export class ScatterController {
  private readonly layer: RasterLayer
  private readonly probe: FrameProbe
  private readonly forget: (() => void)[]
  private chart: ScatterChart
  private theme: PlotTheme
  private view: Viewport = wholeView(unit, unit)
  private columns: { readonly x: PlotColumn; readonly y: PlotColumn } | null = null
  private marks: readonly CentroidMark[] = []
  private k = 1
  private colours = clusterPixels(1)
  private frame = 0

  constructor(
    private readonly root: HTMLElement,
    private readonly points: HTMLCanvasElement,
    private readonly axes: HTMLCanvasElement,
  ) {
    this.theme = readTheme(root)
    this.layer = new RasterLayer(points, (answer) => this.painted(answer))
    this.probe = new FrameProbe(root)
    this.chart = this.buildChart()
    this.forget = [onThemeChange(() => this.themeChanged()), this.listen(), this.watchSize()]
  }

  private buildChart(): ScatterChart {
    const config = scatterChart(this.theme, this.view, () => this.marks)
    config.plugins = [numbersPlugin(() => ({ marks: this.marks, k: this.k, theme: this.theme }))]
    return new Chart(this.axes, config)
  }

  private watchSize(): () => void {
    const observer = new ResizeObserver(() => this.schedule())
    observer.observe(this.root)
    return () => observer.disconnect()
  }

  private listen(): () => void {
    return listenToGestures(this.root, () => this.chart.chartArea, {
      pan: (shareX, shareY) => this.show(panBy(this.view, shareX, shareY)),
      zoom: (shareX, shareY, factor) => this.show(zoomAt(this.view, shareX, shareY, factor)),
      reset: () => this.showAll(),
      key: (key) => {
        const next = viewAfterKey(this.view, key)
        if (next === 'whole') this.showAll()
        else if (next) this.show(next)
        return next !== null
      },
    })
  }

  private show(view: Viewport): void {
    this.view = view
    this.probe.touch()
    this.schedule()
  }

  private showAll(): void {
    if (this.columns) this.show(wholeView(this.columns.x, this.columns.y))
  }

  private themeChanged(): void {
    this.theme = readTheme(this.root)
    this.chart.destroy()
    this.chart = this.buildChart()
    this.setMarks(this.marks, this.k)
  }

  /** New columns show whole; they start without labels. */
  setColumns(x: PlotColumn, y: PlotColumn): void {
    this.columns = { x, y }
    this.view = wholeView(x, y)
    this.layer.setPoints(x.values, y.values)
    this.schedule()
  }

  setLabels(labels: Int32Array | null, k: number): void {
    this.colours = clusterPixels(k)
    this.layer.setLabels(labels)
    this.schedule()
  }

  setMarks(marks: readonly CentroidMark[], k: number): void {
    this.marks = marks
    this.k = k
    this.chart.data.datasets = [centroidDataset(marks, k, this.theme)]
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
    this.drawPoints()
  }

  private drawPoints(): void {
    const { left, top, width, height } = this.chart.chartArea
    if (!this.columns || width < 1 || height < 1) return
    const { x, y } = this.columns
    const ratio = devicePixelRatio
    Object.assign(this.points.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    })
    this.layer.paint({
      width: Math.round(width * ratio),
      height: Math.round(height * ratio),
      minX: (this.view.minX - x.offset) / x.unit,
      maxX: (this.view.maxX - x.offset) / x.unit,
      minY: (this.view.minY - y.offset) / y.unit,
      maxY: (this.view.maxY - y.offset) / y.unit,
      radius: pointRadius(x.values.length) * ratio,
      colours: this.colours,
      neutral: pixelOf(rgbOfCss(this.theme.neutralPoint)),
    })
  }

  private painted({ drawn, milliseconds, coloured }: RasterAnswer): void {
    this.root.dataset['pointsDrawn'] = String(drawn)
    this.root.dataset['paintMs'] = milliseconds.toFixed(2)
    this.root.dataset['coloured'] = String(coloured)
    this.root.dataset['centroids'] = String(this.marks.length)
  }

  dispose(): void {
    cancelAnimationFrame(this.frame)
    for (const forget of this.forget) forget()
    this.probe.dispose()
    this.layer.dispose()
    this.chart.destroy()
  }
}
