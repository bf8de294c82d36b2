/**
 * A figure for the eye: layers of many shapes become pictures, drawn where nobody waits. Browsers draw SVG on the
 * thread of the page, ten thousand shapes in some 150 ms.
 */
import type { Figure, FigureLayer, FigurePanel } from './figure'

/** What can be drawn without a font: all but what carries words, and pictures, which are drawn already. */
export type FlatLayer = Extract<FigureLayer, { kind: 'points' | 'line' | 'marks' }>

/** Fewer shapes than this stay shapes: they cost some milliseconds. */
const fewShapes = 500

function flatOf(layer: FigureLayer): FlatLayer | null {
  if (layer.kind === 'points' || layer.kind === 'line') return layer
  return layer.kind === 'marks' && layer.marks.every(({ label }) => label === '') ? layer : null
}

function shapesOf(layer: FlatLayer): number {
  if (layer.kind === 'points') return layer.xs.length
  if (layer.kind === 'marks') return 2 * layer.marks.length
  return layer.dots > 0 ? 1 + layer.xs.length : 1
}

/** Layers in their order, neighbours that can be drawn together as one group. */
function groups(layers: readonly FigureLayer[]): readonly (FigureLayer | readonly FlatLayer[])[] {
  const grouped: (FigureLayer | FlatLayer[])[] = []
  for (const layer of layers) {
    const flat = flatOf(layer)
    const last = grouped.at(-1)
    if (flat === null) grouped.push(layer)
    else if (Array.isArray(last)) last.push(flat)
    else grouped.push([flat])
  }
  return grouped
}

type Draw = (panel: FigurePanel, layers: readonly FlatLayer[]) => Promise<string>

async function flatPanel(panel: FigurePanel, draw: Draw): Promise<FigurePanel> {
  const layers: FigureLayer[] = []
  for (const group of groups(panel.layers))
    layers.push('kind' in group ? group : { kind: 'image', href: await draw(panel, group) })
  return { ...panel, layers }
}

/** The same figure with pictures in place of many shapes; `draw` answers the address of one. */
export async function flattened(figure: Figure, draw: Draw): Promise<Figure> {
  const flat = figure.panels.flatMap(({ layers }) => layers.flatMap((layer) => flatOf(layer) ?? []))
  if (flat.reduce((sum, layer) => sum + shapesOf(layer), 0) <= fewShapes) return figure
  const panels: FigurePanel[] = []
  for (const panel of figure.panels) panels.push(await flatPanel(panel, draw))
  return { ...figure, panels }
}
