/** Clustered points and centroids as layers: the same for the scatter plot and for the small multiples. */
import type { Palette } from '../palette'
import type { PlotColumn } from '../plot-column'
import { haloWidth, maxLabels, outlineWidth, type CentroidMark } from '../scatter-chart'
import type { PlotTheme } from '../theme'
import type { MarksLayer, PointsLayer } from './figure'

/** Above this many points a figure carries them as a picture: as shapes they would make a file nobody can open. */
export const maxShapes = 10_000

type Coordinates = Pick<PlotColumn, 'values' | 'offset' | 'unit'>

function fileUnits({ values, offset, unit }: Coordinates): Float64Array {
  return Float64Array.from(values, (value) => offset + value * unit)
}

export interface ClusteredPoints {
  readonly x: Coordinates
  readonly y: Coordinates
  /** -1 and null are drawn neutral. */
  readonly labels: Int32Array | null
}

/** Every point as a shape in the colour of its cluster. */
export function pointsLayer(
  { x, y, labels }: ClusteredPoints,
  palette: Palette,
  radius: number,
  theme: PlotTheme,
): PointsLayer {
  const neutral = palette.k
  const clusters = Array.from({ length: palette.k }, (_, cluster) => ({
    shape: palette.shape(cluster),
    colour: palette.css(cluster),
  }))
  const look = Int32Array.from(x.values, (_, row) => {
    const label = labels?.[row] ?? -1
    return label < 0 ? neutral : label
  })
  const looks = [...clusters, { shape: 'circle', colour: theme.neutralPoint } as const]
  return { kind: 'points', xs: fileUnits(x), ys: fileUnits(y), look, looks, radius }
}

/** What raster.ts does with rows that are picked out: the share others keep, and how far the picked ones grow, CSS pixels. */
const picking = { paled: 0.3, growth: 1, ring: 2.5 } as const

function rowsOf(
  layer: PointsLayer,
  wanted: (row: number) => boolean,
): Pick<PointsLayer, 'xs' | 'ys' | 'look'> {
  const rows = Uint32Array.from(Array.from(layer.xs, (_, row) => row).filter(wanted))
  const [xs, ys] = [layer.xs, layer.ys].map((from) => Float64Array.from(rows, (row) => from[row] ?? NaN))
  return { xs: xs ?? [], ys: ys ?? [], look: Int32Array.from(rows, (row) => layer.look[row] ?? 0) }
}

/** The same with rows picked out as on screen: above the others, which are paled, and ringed. */
export function pickedLayers(
  layer: PointsLayer,
  selected: Uint32Array | null,
  theme: PlotTheme,
): readonly PointsLayer[] {
  if (selected === null) return [layer]
  const picked = new Set(selected)
  const above = {
    ...layer,
    ...rowsOf(layer, (row) => picked.has(row)),
    radius: layer.radius + picking.growth,
  }
  const ring = layer.looks.map((look) => ({ ...look, colour: theme.ink }))
  return [
    { ...layer, ...rowsOf(layer, (row) => !picked.has(row)), opacity: picking.paled },
    { ...above, looks: ring, radius: layer.radius + picking.ring },
    above,
  ]
}

/** Centroids as the chart draws them, with their names as long as there are few. */
export function marksLayer(marks: readonly CentroidMark[], palette: Palette, radius: number): MarksLayer {
  const named = marks.length <= maxLabels
  return {
    kind: 'marks',
    marks: marks.map(({ cluster, x, y }) => ({
      x,
      y,
      shape: palette.shape(cluster),
      colour: palette.css(cluster),
      label: named ? palette.name(cluster) : '',
    })),
    radius,
    outline: outlineWidth(palette.k),
    ring: haloWidth(palette.k),
  }
}
