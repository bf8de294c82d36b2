import { element } from '@shared/benchmark/figures/svg'
import { shareOfGoal, shortNumber, valueOf, type HeatMap, type Value } from './heat-map'

const [cellWidth, cellHeight] = [46, 20]
const [left, top] = [46, 56]
const panelsInRow = 3
const font = 'font-family:system-ui,sans-serif;font-size:11px'

/** Orange below the goal, blue from it on, paler near it: told apart by all eyes. */
function colourOf(share: number): string {
  const strength = Math.min(1, Math.abs(Math.log2(share)) / 3)
  const [hue, saturation] = share < 1 ? [28, 90] : [212, 70]
  return `hsl(${hue} ${saturation}% ${(94 - 46 * strength).toFixed(0)}%)`
}

/** A panel for each map, as one SVG of its own. Values are those of the tables. */
export function picture(title: string, value: Value, maps: readonly HeatMap[]): string {
  const [width, height] = [panelWidth(maps), panelHeight(maps)]
  const columns = Math.min(panelsInRow, maps.length)
  const lines = Math.ceil(maps.length / panelsInRow)
  const panels = maps.map((map, at) => {
    const [x, y] = [(at % panelsInRow) * width, 40 + Math.floor(at / panelsInRow) * height]
    return element('g', { transform: `translate(${x} ${y})` }, panel(map, value))
  })
  const size = { width: columns * width + 16, height: lines * height + 48 }
  const ground = element('rect', { ...size, fill: '#ffffff' })
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${size.width} ${size.height}`,
      ...size,
      style: font,
    },
    ...[ground, words(16, 24, title, 'start', 600), ...panels],
  )
}

function panelWidth(maps: readonly HeatMap[]): number {
  return left + 24 + cellWidth * Math.max(...maps.map(({ k }) => k.length))
}

function panelHeight(maps: readonly HeatMap[]): number {
  return top + 24 + cellHeight * Math.max(...maps.map(({ d }) => d.length))
}

function panel(map: HeatMap, value: Value): string {
  const heads = map.k.map((k, at) => words(left + (at + 0.5) * cellWidth, top - 6, String(k), 'middle'))
  const lines = map.d.map((d, at) => words(left - 8, middleOf(at), String(d), 'end'))
  const axes = [words(left - 8, top - 6, 'd \\ k', 'end'), words(left, 18, map.title, 'start', 600)]
  const cells = map.d.flatMap((d, row) => map.k.map((k, column) => cell(map, value, [d, k], [row, column])))
  return [...axes, ...heads, ...lines, ...cells].join('')
}

type Pair = readonly [number, number]

function cell(map: HeatMap, value: Value, [d, k]: Pair, [row, column]: Pair): string {
  const found = map.at(d, k)
  const share = found === null ? null : shareOfGoal(value, found)
  const number = found === null ? null : valueOf(value, found)
  const fill = share === null ? '#f1f2f4' : colourOf(share)
  const [x, y] = [left + column * cellWidth, top + row * cellHeight]
  const box = { x, y, width: cellWidth - 1, height: cellHeight - 1, fill }
  const text = number === null ? '–' : shortNumber(number)
  return element('rect', box) + words(x + cellWidth / 2, middleOf(row), text, 'middle')
}

function middleOf(row: number): number {
  return top + (row + 0.5) * cellHeight + 4
}

function words(x: number, y: number, text: string, anchor: string, weight = 400): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return element('text', { x, y, 'text-anchor': anchor, 'font-weight': weight, fill: '#1d2125' }, safe)
}
