import { headWord } from '../table'
import type { ContenderLook } from '../contender-look'
import { numberSide } from '../free-sides'
import { logAxis, tickText } from './log-axis'
import { publishedEntry, publishedMark } from './published'
import {
  aboutWidth,
  mark,
  drawing,
  errorInk,
  gridInk,
  ink,
  label,
  line,
  quietInk,
  type SvgFigure,
} from './svg'

/** One contender of a group. */
export interface DotRow {
  readonly name: string
  readonly look: ContenderLook
  /** Null where there is nothing that counts. */
  readonly value: number | null
  /** Ends of the whisker; null: none. */
  readonly range: readonly [number, number] | null
  /** What a study published, as a hollow mark each. */
  readonly published: readonly number[]
  /** Beside the dot: the value in words, or why there is none. */
  readonly says: string
}

export interface DotGroup {
  readonly heading: string
  readonly rows: readonly DotRow[]
}

export interface DotPlot {
  readonly title: string
  /** With its unit. */
  readonly axis: string
  readonly groups: readonly DotGroup[]
  /** A value to draw a line at, e.g. the baseline's 1; null: none. */
  readonly lineAt: number | null
}

const width = 860
const rowHeight = 19
const headingHeight = 30
const axisHeight = 44

/**
 * Dots on a logarithmic axis with the range of each as a line through it (Cleveland's dot plot: on such an axis the length of
 * a bar would mean nothing), a name to the left and the value to the right of each. Null where nothing counts.
 */
export function dotPlot({ title, axis, groups, lineAt }: DotPlot): SvgFigure | null {
  const rows = groups.flatMap((group) => group.rows)
  const values = rows.flatMap(({ value, range, published }) =>
    value === null ? [] : [value, ...(range ?? []), ...published],
  )
  if (values.length === 0) return null
  const left = Math.max(...rows.map(({ name }) => aboutWidth(name))) + 24
  const right = Math.max(...rows.map(({ says, value }) => (value === null ? 0 : aboutWidth(says)))) + 12
  const scale = logAxis(lineAt === null ? values : [...values, lineAt], [left, width - right])
  const bottom = groups.reduce((height, group) => height + headingHeight + rowHeight * group.rows.length, 6)
  const parts: string[] = scale.ticks.flatMap((tick) => [
    line([scale.at(tick), 12], [scale.at(tick), bottom], gridInk),
    label(scale.at(tick), bottom + 16, tickText(tick), { anchor: 'middle', colour: quietInk }),
  ])
  if (lineAt !== null) parts.push(line([scale.at(lineAt), 12], [scale.at(lineAt), bottom], quietInk))
  let y = 0
  for (const group of groups) {
    parts.push(label(0, y + headingHeight - 10, group.heading, { bold: true }))
    y += headingHeight
    for (const row of group.rows) {
      parts.push(dotRow(row, y + rowHeight / 2, left, scale.at))
      y += rowHeight
    }
  }
  if (rows.some(({ value, published }) => value !== null && published.length > 0))
    parts.push(publishedEntry(width - aboutWidth(headWord('published')) - 14, 16))
  parts.push(label((left + width - right) / 2, bottom + 36, axis, { anchor: 'middle', colour: quietInk }))
  return drawing(title, width, bottom + axisHeight, parts)
}

function dotRow(
  { name, look, value, range, published, says }: DotRow,
  y: number,
  left: number,
  at: (v: number) => number,
): string {
  const named = label(left - 14, y + 4, name, { anchor: 'end', colour: value === null ? quietInk : ink })
  if (value === null) return named + label(left + 4, y + 4, says, { colour: errorInk })
  const [low, high] = range ?? [value, value]
  const whisker = line([at(low), y], [at(high), y], look.colour, 2)
  const study = published.map((one) => publishedMark(at(one), y, look)).join('')
  const row = { low: at(low), high: at(high), marks: published.map(at) }
  const number = numberSide(row, aboutWidth(says), left)
  const [aside, anchor] = number.side === 'right' ? ([10, 'start'] as const) : ([-10, 'end'] as const)
  const words = label(number.at + aside, y + 4, says, { anchor })
  return named + whisker + mark(at(value), y, look) + study + words
}
