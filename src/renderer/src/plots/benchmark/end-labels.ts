/** Names at the ends of lines, moved apart so that none lies on another; a key where there are too many. */
import { contenderName } from '@shared/benchmark/contender-look'
import { topOf, type FigureAxis, type FigureText, type PointLook } from '../figure/figure'
import { markRoom } from '../figure/svg-layers'
import { aboutWidth } from '../figure/svg-text'

export interface LineEnd {
  readonly contender: string
  /** Of the words. */
  readonly ink: string
  readonly mark: PointLook
  readonly y: number
}

const lineHeight = 14

/** Whether the names of so many lines fit beside a frame of a height in CSS pixels, and leave it its width. */
export const labelsFit = (count: number, height: number, width: number): boolean =>
  count * lineHeight <= height && width >= 420

/** CSS pixels that the names take. */
export function labelRoom(contenders: readonly string[]): number {
  return (
    Math.max(0, ...contenders.map((contender) => aboutWidth(contenderName(contender), 11))) +
    14 +
    2 * markRoom
  )
}

/** Tops at least a line apart and within 0..height, as near to the wanted ones as a pass down and a pass up get. */
export function spread(wanted: readonly number[], height: number, apart = lineHeight): readonly number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const tops = [...wanted]
  let least = -Infinity
  for (const at of order) least = (tops[at] = Math.max(tops[at] ?? 0, least)) + apart
  let most = height
  for (const at of order.reverse()) most = (tops[at] = Math.min(tops[at] ?? 0, most)) - apart
  return tops
}

/** The names right of a frame of a height, each as near to the end of its line as the others let it. */
export function endLabels(
  ends: readonly LineEnd[],
  x: FigureAxis,
  y: FigureAxis,
  height: number,
): readonly FigureText[] {
  const frame = { left: 0, top: 0, width: 1, height }
  const panel = { title: '', details: [], overhang: 0, frame, x, y, layers: [] }
  const own = ends.map((end) => topOf(panel, end.y))
  const tops = spread(own, height)
  return ends.map(({ contender, ink, mark, y: at }, i) => ({
    x: x.max,
    y: at,
    dx: 8 + 2 * markRoom,
    dy: (tops[i] ?? 0) - (own[i] ?? 0),
    text: contenderName(contender),
    colour: ink,
    mark,
    anchor: 'start' as const,
  }))
}
