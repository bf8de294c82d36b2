import { phaseColours } from '../phase-colours'
import { workloadsOf, counts } from '../counted'
import type { BenchmarkDocument } from '../document'
import { phaseMs, phaseNames, phasedRows, type PhaseName } from '../phases-table'
import { markOf } from '../scaled'
import { significant } from '../significant'
import { byPage, workloadText } from './workloads'
import { aboutWidth, drawing, element, label, line, gridInk, quietInk, type SvgFigure } from './svg'
import { t } from '../../locale/translate'

interface PhaseRow {
  readonly name: string
  readonly totalMs: number
  /** Before the total: `≈ ` where it is scaled. */
  readonly mark: string
  /** Milliseconds of the phases that were timed apart, in their order. */
  readonly parts: readonly { readonly phase: PhaseName; readonly ms: number }[]
}

export interface PhaseGroup {
  readonly heading: string
  readonly rows: readonly PhaseRow[]
}

const width = 860
const rowHeight = 22
const headingHeight = 30
const legendHeight = 34

/** Where the time went, as shares of the total (without load), with the total itself beside each bar. */
export function phasesFigures(document: BenchmarkDocument): readonly SvgFigure[] {
  return byPage(phaseGroups(document)).map(stackedBars)
}

export function phaseGroups(document: BenchmarkDocument): readonly PhaseGroup[] {
  const phased = phasedRows(document).filter(counts)
  return workloadsOf(document).flatMap((workload): readonly PhaseGroup[] => {
    const rows = phased.filter(({ dataset, k }) => dataset === workload.dataset && k === workload.k)
    return rows.length === 0 ? [] : [{ heading: workloadText(workload), rows: rows.map(phaseRow) }]
  })
}

function phaseRow(row: ReturnType<typeof phasedRows>[number]): PhaseRow {
  const { contender, phases } = row
  const parts = phaseNames.flatMap((phase) => {
    const ms = phase === 'load' ? null : phaseMs(phases, phase)
    return ms === null || ms <= 0 ? [] : [{ phase, ms }]
  })
  return { name: contender, totalMs: phases.totalMs, mark: markOf(row), parts }
}

function stackedBars(groups: readonly PhaseGroup[]): SvgFigure {
  const rows = groups.flatMap((group) => group.rows)
  const left = Math.max(...rows.map(({ name }) => aboutWidth(name))) + 24
  const right = width - Math.max(...rows.map((row) => aboutWidth(totalText(row)))) - 16
  const used = phaseNames.filter((name) =>
    rows.some(({ parts }) => parts.some(({ phase }) => phase === name)),
  )
  const bottom = groups.reduce(
    (sum, group) => sum + headingHeight + rowHeight * group.rows.length,
    legendHeight,
  )
  const drawn = [legend(used, left), ...shareAxis(left, right, bottom)]
  let y = legendHeight
  for (const group of groups) {
    drawn.push(label(0, y + headingHeight - 10, group.heading, { bold: true }))
    y += headingHeight
    for (const row of group.rows) {
      drawn.push(barRow(row, y, left, right))
      y += rowHeight
    }
  }
  return drawing(t('benchmark-tables.phasesOfEachRun'), width, bottom + 44, drawn)
}

function barRow(row: PhaseRow, y: number, left: number, right: number): string {
  const { name, totalMs, parts } = row
  const whole = Math.max(
    totalMs,
    parts.reduce((sum, { ms }) => sum + ms, 0),
  )
  let x = left
  const bars = parts.map(({ phase, ms }) => {
    const share = ((right - left) * ms) / whole
    const bar = { x, y: y + 3, width: Math.max(0, share - 1), height: rowHeight - 6 }
    x += share
    return element('rect', { ...bar, style: `fill:${phaseColours[phase]}` })
  })
  const named = label(left - 14, y + rowHeight / 2 + 4, name, { anchor: 'end' })
  return named + bars.join('') + label(right + 10, y + rowHeight / 2 + 4, totalText(row))
}

const totalText = ({ totalMs, mark }: PhaseRow): string => `${mark}${significant(totalMs)} ms`

function legend(used: readonly PhaseName[], left: number): string {
  let x = left
  return used
    .map((phase) => {
      const swatch = element('rect', { x, y: 4, width: 12, height: 12, style: `fill:${phaseColours[phase]}` })
      const named = label(x + 18, 14, phase)
      x += aboutWidth(phase) + 40
      return swatch + named
    })
    .join('')
}

function shareAxis(left: number, right: number, bottom: number): readonly string[] {
  const marks = [0, 25, 50, 75, 100].flatMap((share) => {
    const x = left + ((right - left) * share) / 100
    return [
      line([x, legendHeight - 4], [x, bottom], gridInk),
      label(x, bottom + 16, `${share} %`, { anchor: 'middle', colour: quietInk }),
    ]
  })
  const axis = t('benchmark-tables.shareOfTheTotalWithoutLoad')
  return [...marks, label((left + right) / 2, bottom + 36, axis, { anchor: 'middle', colour: quietInk })]
}
