/** The paths of centroids over the iterations: thin lines in the colour of their cluster. */
import type { Plugin } from 'chart.js'
import type { Palette } from '../palette'

export interface CentroidTrails {
  /** (iterations, k, 2) in units of the axes; NaN where there is no centroid. */
  readonly values: Float64Array
  readonly iterations: number
  readonly k: number
  /** The iteration on screen; the paths end there. */
  readonly upTo: number
}

/** More segments than this would cost a frame; then the paths begin later. */
const maxSegments = 20_000
/** Dots on the path help the eye while the steps are few. */
export const maxDots = 60

/** The iteration the drawn paths begin at. */
export function firstDrawn({ k, upTo }: Pick<CentroidTrails, 'k' | 'upTo'>): number {
  return Math.max(0, upTo - Math.floor(maxSegments / Math.max(1, k)))
}

/** The places of one cluster from `firstDrawn` to the iteration on screen, NaN places left out. */
export function trailOf(trails: CentroidTrails, cluster: number): { xs: number[]; ys: number[] } {
  const { values, iterations, k, upTo } = trails
  const xs: number[] = []
  const ys: number[] = []
  for (let i = firstDrawn(trails); i <= Math.min(upTo, iterations - 1); i++) {
    const at = 2 * (i * k + cluster)
    const [x, y] = [values[at] ?? NaN, values[at + 1] ?? NaN]
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue
    xs.push(x)
    ys.push(y)
  }
  return { xs, ys }
}

/** Draws beneath the centroids and above the points; reads everything anew on every draw. */
export function trailsPlugin(
  current: () => { readonly trails: CentroidTrails | null; readonly palette: Palette },
): Plugin<'scatter'> {
  return {
    id: 'centroid-trails',
    beforeDatasetsDraw(chart) {
      const { trails, palette } = current()
      const { ctx, chartArea, scales } = chart
      const { x: scaleX, y: scaleY } = scales
      if (!trails || !scaleX || !scaleY) return
      ctx.save()
      ctx.beginPath()
      ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height)
      ctx.clip()
      ctx.lineWidth = 1.5
      const dots = trails.upTo - firstDrawn(trails) <= maxDots
      for (let cluster = 0; cluster < trails.k; cluster++) {
        const { xs, ys } = trailOf(trails, cluster)
        ctx.strokeStyle = palette.css(cluster)
        ctx.fillStyle = palette.css(cluster)
        drawPath(
          ctx,
          xs.map((value) => scaleX.getPixelForValue(value)),
          ys.map((value) => scaleY.getPixelForValue(value)),
          dots,
        )
      }
      ctx.restore()
    },
  }
}

function drawPath(
  ctx: CanvasRenderingContext2D,
  left: readonly number[],
  top: readonly number[],
  dots: boolean,
): void {
  ctx.beginPath()
  for (const [i, x] of left.entries()) ctx.lineTo(x, top[i] ?? NaN)
  ctx.stroke()
  if (!dots) return
  for (const [i, x] of left.entries()) {
    ctx.beginPath()
    ctx.arc(x, top[i] ?? NaN, 2, 0, 2 * Math.PI)
    ctx.fill()
  }
}
