/** Grid and ticks of a panel in its own pixels; the same for all panels. */
import { leftOf, topOf, type FigurePanel } from '../figure/figure'
import type { PanelAxes } from './steps-figure'

export interface TickPosition {
  readonly at: number
  readonly label: string
}

export interface PanelLines {
  /** Of an SVG path: the grid. */
  readonly grid: string
  readonly across: readonly TickPosition[]
  readonly down: readonly TickPosition[]
}

export function panelLines(
  { x, y }: PanelAxes,
  { width, height }: { readonly width: number; readonly height: number },
): PanelLines {
  const frame = { left: 0, top: 0, width, height }
  const panel: FigurePanel = { title: '', details: [], overhang: 0, frame, x, y, layers: [] }
  const across = x.ticks.map(({ value, label }) => ({ label, at: leftOf(panel, value) }))
  const down = y.ticks.map(({ value, label }) => ({ label, at: topOf(panel, value) }))
  const upright = across.map(({ at }) => `M${at} 0V${height}`)
  const level = down.map(({ at }) => `M0 ${at}H${width}`)
  return { grid: [...upright, ...level].join(''), across, down }
}
