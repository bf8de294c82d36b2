/** Names at the ends of lines, moved apart so that none lies on another; a key where there are too many. */
import { contenderName } from '@shared/benchmark/contender-look'
import { besideHeight, labelsBeside } from '../figure/beside'
import type { FigureAxis, FigureText, PointLook } from '../figure/figure'
import { markRoom } from '../figure/svg-layers'
import { aboutWidth } from '../figure/svg-text'

export interface LineEnd {
  readonly contender: string
  /** Of the words. */
  readonly ink: string
  readonly mark: PointLook
  readonly y: number
}

/** Whether the names of so many lines fit beside a frame of a height in CSS pixels, and leave it its width. */
export const labelsFit = (count: number, height: number, width: number): boolean =>
  count * besideHeight <= height && width >= 420

/** CSS pixels that the names take. */
export function labelRoom(contenders: readonly string[]): number {
  return (
    Math.max(0, ...contenders.map((contender) => aboutWidth(contenderName(contender), 11))) +
    14 +
    2 * markRoom
  )
}

/** The names right of a frame of a height, each as near to the end of its line as the others let it. */
export function endLabels(
  ends: readonly LineEnd[],
  x: FigureAxis,
  y: FigureAxis,
  height: number,
): readonly FigureText[] {
  const frame = { left: 0, top: 0, width: 1, height }
  const texts = ends.map(({ contender, ink, mark, y: at }) => ({
    ...{ x: x.max, y: at, dx: 8 + 2 * markRoom, dy: 0, text: contenderName(contender), colour: ink, mark },
    ...{ anchor: 'start' as const, beside: true },
  }))
  return labelsBeside({ frame, x, y }, texts)
}
