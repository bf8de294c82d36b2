/** All panels as one figure, in the grid in which they stand. */
import { marksLayer, maxShapes, pointsLayer } from '../figure/cluster-layers'
import {
  shareOf,
  type Figure,
  type FigureAxis,
  type FigureLayer,
  type FigurePanel,
  type MarksLayer,
} from '../figure/figure'
import { titleLineHeight, titleLines } from '../figure/svg'
import { aboutWidth } from '../figure/svg-text'
import { exactAxis } from '../figure/ticks'
import type { Viewport } from '../viewport'
import { factLines, frameAt, gap, gutter, roomAbove, roomBelow, type StepsGrid } from './grid'
import type { StepPanel } from './panel'
import { panelMarkRadius, panelOutline, panelRadius, panelRing, type BoardLook } from './steps-board'

/** Left of the gutter and below the last row: the names of the axes. */
const nameRoom = 20

export interface PanelAxes {
  readonly x: FigureAxis
  readonly y: FigureAxis
}

const maxParts = 6
/** Between two numbers of an axis. */
const apart = 8
/** How far a number may reach beyond its panel: that of the next one does so, too. */
const usuallyBeyond = (gap - 4) / 2

function partsOf(min: number, max: number, parts: number, sparse = false): FigureAxis {
  return exactAxis({ label: '', min, max, parts, sparse })
}

/** Without the numbers that would reach into the next panel. */
function withinPanel(axis: FigureAxis, width: number, text: number, beyond: number): FigureAxis {
  const ticks = axis.ticks.map((tick) => {
    const middle = shareOf(axis, tick.value) * width
    const half = (aboutWidth(tick.label, 11) * text) / 2
    return middle - half >= -beyond && middle + half <= width + beyond ? tick : { ...tick, label: '' }
  })
  return { ...axis, ticks }
}

function touch(axis: FigureAxis, width: number, text: number): boolean {
  const labelled = axis.ticks.filter(({ label }) => label !== '')
  return labelled.some(({ value, label }, at) => {
    const next = labelled[at + 1]
    if (!next) return false
    const room = (shareOf(axis, next.value) - shareOf(axis, value)) * width
    return room < ((aboutWidth(label, 11) + aboutWidth(next.label, 11)) / 2 + apart) * text
  })
}

/** As many numbers as stand beside one another. */
function levelAxis(
  { min, max }: Pick<FigureAxis, 'min' | 'max'>,
  width: number,
  text: number,
  beyond: number,
): FigureAxis {
  const tries = [false, true].flatMap((sparse) =>
    Array.from({ length: maxParts }, (_, i) =>
      withinPanel(partsOf(min, max, maxParts - i, sparse), width, text, beyond),
    ),
  )
  const isRead = (axis: FigureAxis): boolean =>
    axis.ticks.some(({ label }) => label !== '') && !touch(axis, width, text)
  return tries.find(isRead) ?? partsOf(min, max, 1, true)
}

/**
 * The two axes that all panels share; larger text leaves room for fewer numbers.
 * @param beyond CSS pixels that a number may reach beyond its panel
 */
export function panelAxes(
  view: Viewport,
  grid: Pick<StepsGrid, 'width' | 'height'>,
  text = 1,
  beyond = usuallyBeyond,
): PanelAxes {
  const down = Math.max(2, Math.min(maxParts, Math.floor(grid.height / (36 * text))))
  return {
    x: levelAxis({ min: view.minX, max: view.maxX }, grid.width, text, beyond),
    y: partsOf(view.minY, view.maxY, down),
  }
}

/** Pixels left of each row: the numbers of the vertical axis stand there whole, however many they are. */
export function sideRoom({ minY, maxY }: Pick<Viewport, 'minY' | 'maxY'>): number {
  const labels = Array.from({ length: maxParts - 1 }, (_, i) => partsOf(minY, maxY, i + 2).ticks).flat()
  return Math.max(gutter, ...labels.map(({ label }) => Math.ceil(aboutWidth(label, 11)) + 10))
}

export interface StepsFigureParts {
  readonly title: string
  readonly xName: string
  readonly yName: string
  readonly panels: readonly StepPanel[]
  readonly grid: StepsGrid
  readonly look: BoardLook
  /** Points of a panel as the address of a picture. */
  picture(panel: StepPanel): Promise<string>
}

function smallMarks({ marks }: StepPanel, { palette }: BoardLook): MarksLayer {
  const layer = marksLayer(marks, palette, panelMarkRadius(palette.k))
  const unnamed = layer.marks.map((mark) => ({ ...mark, label: '' }))
  return { ...layer, marks: unnamed, outline: panelOutline, ring: panelRing }
}

async function shapes(panel: StepPanel, { palette, theme }: BoardLook): Promise<readonly FigureLayer[]> {
  const always = (): boolean => true
  const [x, y] = [await panel.x.load(always), await panel.y.load(always)]
  const labels = await panel.labels.load(always)
  if (!x || !y || !labels) return []
  return [pointsLayer({ x, y, labels: labels.values }, palette, panelRadius(panel.points), theme)]
}

async function layersOf(
  panel: StepPanel,
  parts: StepsFigureParts,
  vector: boolean,
): Promise<readonly FigureLayer[]> {
  const points = vector
    ? await shapes(panel, parts.look)
    : [{ kind: 'image', href: await parts.picture(panel) } as const]
  return [...points, smallMarks(panel, parts.look)]
}

/** Ticks of the vertical axis stand left of each row, its name beside the first, the other below the last. */
function axesOf(at: number, parts: StepsFigureParts, shared: PanelAxes): PanelAxes {
  const { grid, panels, xName, yName } = parts
  const first = at % grid.columns === 0
  const last = at + grid.columns >= panels.length
  return {
    x: { ...shared.x, label: last ? xName : '' },
    y: first
      ? { ...shared.y, label: yName }
      : { ...shared.y, ticks: shared.y.ticks.map((tick) => ({ ...tick, label: '' })) },
  }
}

/** Points are shapes as long as all panels together have few. */
export async function stepsFigure(parts: StepsFigureParts): Promise<Figure> {
  const { title, panels, grid, look } = parts
  const { theme } = look
  const points = panels.reduce((sum, panel) => sum + panel.points, 0)
  const shared = panelAxes(look.view, grid)
  const width = nameRoom + grid.side + grid.columns * (grid.width + gap)
  const top = 12 + titleLines(title, width).length * titleLineHeight
  const above = roomAbove(factLines(panels[0]?.facts ?? [], grid.stacked).length)
  const drawn: FigurePanel[] = []
  for (const [at, panel] of panels.entries()) {
    const layers = await layersOf(panel, parts, points <= maxShapes)
    const frame = frameAt(grid, at, { left: nameRoom + grid.side, top, above })
    const details = factLines(panel.facts, grid.stacked)
    const axes = axesOf(at, parts, shared)
    drawn.push({ title: panel.title, details, overhang: 0, frame, ...axes, layers })
  }
  const height = top + grid.rows * (above + grid.height + roomBelow) + nameRoom
  return { title, width, height, theme, panels: drawn }
}
