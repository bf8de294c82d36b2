/** The part of a figure that is zoomed into, as a figure. */
import { isWhole } from '../zoom'
import type { Viewport } from '../viewport'
import { shareOf, valueAt, type FigureAxis, type FigureLayer, type FigurePanel } from './figure'
import { labelsBeside } from './beside'
import { exactAxis, linearTicks } from './ticks'

/** CSS pixels of an axis for a tick. */
const apart = { x: 80, y: 40 }
/** Values at the very edge are inside, whatever the rounding. */
const edge = 1e-9

/** From one share of an axis to another, with ticks for what is left. `length` in CSS pixels. */
function partOf(axis: FigureAxis, from: number, to: number, length: number, each: number): FigureAxis {
  if (from <= 0 && to >= 1) return axis
  const { label, log } = axis
  const [min, max] = [valueAt(axis, from), valueAt(axis, to)]
  const parts = Math.max(2, Math.floor(length / each))
  const part = exactAxis({ label, min, max, parts, log })
  if (!log || part.ticks.length >= 3) return withAside(part, axis)
  const ticks = linearTicks(min, max, parts).filter(({ value }) => value > 0)
  return withAside({ ...part, ticks }, axis)
}

/** Where the scale ends, it ends when zoomed, too. */
function withAside(part: FigureAxis, { aside }: FigureAxis): FigureAxis {
  if (!aside) return part
  const scale = part.ticks.filter(({ value }) => value <= aside.from)
  const named = aside.ticks.filter(({ value }) => value >= part.min && value <= part.max)
  return { ...part, aside, ticks: [...scale, ...named] }
}

type Part = Pick<FigurePanel, 'frame' | 'x' | 'y'>

const isIn = (axis: FigureAxis, value: number): boolean => {
  const share = shareOf(axis, value)
  return share >= -edge && share <= 1 + edge
}

/**
 * Words go whose place is no longer shown; those at the start of the axis, heads of rows, stay there, and those beside
 * the frame at its end.
 */
function withoutFarWords(layer: FigureLayer, start: number, part: Part): FigureLayer {
  const { x, y } = part
  if (layer.kind === 'texts') {
    const inside = layer.texts.filter(({ beside }) => !beside)
    const moved = inside.map((text) => (text.x === start ? { ...text, x: x.min } : text))
    const shown = moved.filter((text) => isIn(x, text.x) && isIn(y, text.y))
    const aside = layer.texts.filter(({ beside }) => beside)
    return { ...layer, texts: [...shown, ...labelsBeside(part, aside)] }
  }
  if (layer.kind !== 'bars') return layer
  const bars = layer.bars.map((bar) => (isIn(x, bar.x1) ? bar : { ...bar, label: '' }))
  return { ...layer, bars }
}

/** @param view shares of the whole */
export function zoomedPanel(panel: FigurePanel, view: Viewport): FigurePanel {
  if (isWhole(view)) return panel
  const { frame } = panel
  const x = partOf(panel.x, view.minX, view.maxX, frame.width, apart.x)
  const y = partOf(panel.y, view.minY, view.maxY, frame.height, apart.y)
  const layers = panel.layers.map((layer) => withoutFarWords(layer, panel.x.min, { frame, x, y }))
  return { ...panel, overhang: 0, x, y, layers }
}
