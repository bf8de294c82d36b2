/** A scatter matrix: every pair of a few features, coloured by cluster; the same panels on screen and in files. */
import { maxShapes, pointsLayer } from '../figure/cluster-layers'
import type { Figure, FigureLayer, FigurePanel, Frame } from '../figure/figure'
import { titleLineHeight, titleLines } from '../figure/svg'
import type { Palette } from '../palette'
import type { PanelColumn, StepPanel } from '../steps/panel'
import { panelRadius, type BoardLook } from '../steps/steps-board'
import { panelAxes, sideRoom, type PanelAxes } from '../steps/steps-figure'
import type { PlotTheme } from '../theme'
import { wholeView, type Viewport } from '../viewport'
import { t } from '@/i18n'

/** More panels than 6 x 6 are too small to be read. */
export const maxMatrixFeatures = 6
/** CSS pixels between panels. */
export const matrixGap = 8
/** Below the last row, for the numbers of the horizontal axes. */
export const matrixBelow = 22
/** Of small panels: more numbers than beside large ones. */
const matrixText = 0.8
const least = 60
const most = 220
/** Panels that nobody asked for are at least so large, and the numbers beside them seldom take more than this. */
const legible = 64
const usualSide = 72

/** How many features have panels that can be read in a width, CSS pixels. */
export function fittingFeatures(width: number): number {
  const count = Math.floor((width - usualSide + matrixGap) / (legible + matrixGap))
  return Math.max(2, Math.min(maxMatrixFeatures, count))
}

export interface MatrixFeature {
  readonly name: string
  readonly column: PanelColumn<Float32Array>
  /** In units of the file. */
  readonly range: { readonly min: number; readonly max: number }
}

export interface MatrixParts {
  readonly features: readonly MatrixFeature[]
  readonly labels: PanelColumn<Int32Array>
  /** Rows of the dataset. */
  readonly points: number
  readonly palette: Palette
}

export interface MatrixGrid {
  /** Of a panel, which is square. */
  readonly size: number
  /** Left of the first column, for the numbers of the vertical axes. */
  readonly side: number
}

/** What the panel of a row and a column shows. */
export function matrixView({ features }: MatrixParts, row: number, column: number): Viewport {
  const nothing = { min: 0, max: 1 }
  return wholeView(features[column]?.range ?? nothing, features[row]?.range ?? nothing)
}

/** Its numbers stay within a panel: the next one begins right beside it. */
export function matrixAxes(view: Viewport, size: number): PanelAxes {
  return panelAxes(view, { width: size, height: size }, matrixText, 0)
}

/** How large the panels are in a width, CSS pixels. */
export function matrixGrid(parts: MatrixParts, width: number): MatrixGrid {
  const count = Math.max(1, parts.features.length)
  const side = Math.max(...parts.features.map((_, row) => sideRoom(matrixView(parts, row, row))), 0)
  const room = (width - side - (count - 1) * matrixGap) / count
  return { size: Math.floor(Math.max(least, Math.min(most, room))), side }
}

/** The panel of a pair, as the painter takes it; null on the diagonal. */
export function matrixPanel(
  { features, labels, points }: MatrixParts,
  row: number,
  column: number,
): StepPanel | null {
  const [x, y] = [features[column], features[row]]
  if (!x || !y || row === column) return null
  const key = row * features.length + column
  return {
    ...{ iteration: key, title: t('profiles.against', [y.name, x.name]), facts: [], marks: [] },
    points,
    labels,
    x: x.column,
    y: y.column,
  }
}

/** How a panel is seen. */
export function matrixLook(
  parts: MatrixParts,
  { size }: MatrixGrid,
  theme: PlotTheme,
  row: number,
  column: number,
): BoardLook {
  return { view: matrixView(parts, row, column), palette: parts.palette, theme, width: size, height: size }
}

export interface MatrixFigureParts extends MatrixParts {
  readonly title: string
  readonly grid: MatrixGrid
  readonly theme: PlotTheme
  /** Points of a panel as the address of a picture. */
  picture(panel: StepPanel, look: BoardLook): Promise<string>
}

async function pointsOf(
  panel: StepPanel,
  parts: MatrixFigureParts,
  look: BoardLook,
): Promise<FigureLayer | null> {
  const pairs = parts.features.length * (parts.features.length - 1)
  if (parts.points * pairs > maxShapes) return { kind: 'image', href: await parts.picture(panel, look) }
  const always = (): boolean => true
  const [x, y, labels] = [
    await panel.x.load(always),
    await panel.y.load(always),
    await panel.labels.load(always),
  ]
  if (!x || !y || !labels) return null
  return pointsLayer({ x, y, labels: labels.values }, parts.palette, panelRadius(panel.points), parts.theme)
}

/** The name in the middle of a panel of the diagonal. */
function nameLayer(name: string, { minX, maxX, minY, maxY }: Viewport, theme: PlotTheme): FigureLayer {
  const middle = { x: (minX + maxX) / 2, y: (minY + maxY) / 2, dx: 0, dy: 0 }
  return { kind: 'texts', texts: [{ ...middle, text: name, colour: theme.ink, anchor: 'middle' }] }
}

async function figurePanel(
  parts: MatrixFigureParts,
  row: number,
  column: number,
  frame: Frame,
): Promise<FigurePanel> {
  const { features, grid, theme } = parts
  const look = matrixLook(parts, grid, theme, row, column)
  const { x, y } = matrixAxes(look.view, grid.size)
  const panel = matrixPanel(parts, row, column)
  const layer = panel
    ? await pointsOf(panel, parts, look)
    : nameLayer(features[row]?.name ?? '', look.view, theme)
  const bare = (axis: typeof x) => ({ ...axis, ticks: axis.ticks.map((tick) => ({ ...tick, label: '' })) })
  return {
    ...{ title: '', details: [], overhang: 0, frame, layers: layer ? [layer] : [] },
    x: row === features.length - 1 ? x : bare(x),
    y: column === 0 ? y : bare(y),
  }
}

/** The whole matrix for a file. Points are shapes as long as all panels together have few. */
export async function matrixFigure(parts: MatrixFigureParts): Promise<Figure> {
  const { features, grid, theme, title } = parts
  const step = grid.size + matrixGap
  const width = grid.side + features.length * step + matrixGap
  const top = 16 + titleLines(title, width).length * titleLineHeight
  const panels: FigurePanel[] = []
  for (const row of features.keys())
    for (const column of features.keys()) {
      const frame = {
        left: grid.side + column * step,
        top: top + row * step,
        width: grid.size,
        height: grid.size,
      }
      panels.push(await figurePanel(parts, row, column, frame))
    }
  return { title, width, height: top + features.length * step + matrixBelow, theme, panels }
}
