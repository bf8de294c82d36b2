import type { PlannedCell } from '@shared/benchmark/document'
import { planNote } from '@shared/benchmark/plan-note'
import {
  cellLimitMs,
  limitText,
  notRunWords,
  sharedNotRunWords,
  shortenedWords,
} from '@shared/benchmark/cell-limit'
import type { Plan } from '@shared/benchmark/requests'
import type { Suite } from '@shared/benchmark/suite'
import { formatBytes, plural, roughDuration } from '@shared/quantity-words'
import { textTable } from './text-table'

const memoryHead = 'memory with the data'
const bytesOfNumber = 4

/** The dataset on the device and what a variant needs beside it; null where that is not known. */
function bytesOf({ n, d, memoryBytes }: PlannedCell): number | null {
  return memoryBytes === null ? null : bytesOfNumber * n * d + memoryBytes
}

/** Every cell with what it is expected to take. */
export function planTable({ cells }: Plan, suite: Suite): string {
  const header = ['dataset', 'N', 'd', 'k', 'contender', 'expected', memoryHead, 'device']
  const rows = cells.map((cell) => {
    const { dataset, n, d, k, contender, deviceName, skipped } = cell
    const expected = skipped === null ? expectedWords(cell, suite) : (notRunWords(skipped) ?? 'skipped')
    const needed = bytesOf(cell)
    const memory = needed === null ? '-' : formatBytes(needed)
    return [dataset, ...[n, d, k].map(String), contender, expected, memory, deviceName ?? '-']
  })
  return textTable(header, rows, ['dataset', 'contender', 'device'])
}

/** `9 min: 10 of 50 iterations, no warm-up` where a cell does not make all that is asked for. */
function expectedWords(cell: PlannedCell, suite: Suite): string {
  const shortened = shortenedWords(cell, suite)
  return `${duration(cell.predictedMs)}${shortened === null ? '' : `: ${shortened}`}`
}

/** A line for each contender: cells, expected time, largest memory; why cells are skipped; what the times rest on. */
export function planSummary(plan: Plan, suite: Suite): string {
  const contenders = [...new Set(plan.cells.map(({ contender }) => contender))]
  const rows = contenders.map((contender) => summaryRow(contender, ofContender(plan, contender)))
  return (
    textTable(['contender', 'cells', 'expected', memoryHead], rows, ['contender']) +
    skippedLines(plan) +
    total(plan) +
    limitLine(plan, suite) +
    `${planNote(suite)}\n`
  )
}

/** What is known of the whole, and of whom nothing is. */
function total({ cells }: Plan): string {
  const running = cells.filter(({ skipped }) => skipped === null)
  const ms = running.reduce((sum, { predictedMs }) => sum + (predictedMs ?? 0), 0)
  const unknown = running.filter(({ predictedMs }) => predictedMs === null)
  const others = [...new Set(unknown.map(({ contender }) => contender))].join(', ')
  const also = others === '' ? '' : `, and what ${others} take`
  return `${running.length} of ${cells.length} cells run; expected time about ${duration(ms)}${also}\n`
}

/** What the limit of a cell does to the plan; nothing without one. */
function limitLine({ cells }: Plan, suite: Suite): string {
  const limitMs = cellLimitMs(suite)
  if (limitMs === null) return ''
  const count = (wanted: (cell: PlannedCell) => boolean) => plural(cells.filter(wanted).length, 'cell')
  const fewer = count(({ shortened }) => shortened !== undefined)
  const none = count(({ skipped }) => skipped !== null && notRunWords(skipped) !== null)
  const ended = !cells.some(isUnknown) ? '' : `; what cannot be foretold is ended there (${count(isUnknown)})`
  return `Limit of ${limitText(limitMs)} a cell: ${fewer} with fewer runs or iterations, ${none} not run${ended}.\n`
}

const isUnknown = ({ skipped, predictedMs }: PlannedCell) => skipped === null && predictedMs === null

function ofContender({ cells }: Plan, contender: string): readonly PlannedCell[] {
  return cells.filter((cell) => cell.contender === contender)
}

function summaryRow(contender: string, cells: readonly PlannedCell[]): readonly string[] {
  const running = cells.filter(({ skipped }) => skipped === null)
  const count = `${running.length} of ${cells.length}`
  if (running.length === 0) return [contender, count, 'skipped', '-']
  const known = running.every(({ predictedMs }) => predictedMs !== null)
  const sum = running.reduce((ms, { predictedMs }) => ms + (predictedMs ?? 0), 0)
  const memory = Math.max(...running.map((cell) => bytesOf(cell) ?? 0))
  return [contender, count, duration(known ? sum : null), memory === 0 ? '-' : formatBytes(memory)]
}

/** Each reason once, with those whom it keeps out. */
function skippedLines({ cells }: Plan): string {
  const reasons = new Map<string, Set<string>>()
  for (const { skipped, contender } of cells) {
    if (skipped === null) continue
    const words = sharedNotRunWords(skipped) ?? skipped
    reasons.set(words, (reasons.get(words) ?? new Set()).add(contender))
  }
  return [...reasons]
    .map(([reason, contenders]) => `Skipped: ${[...contenders].join(', ')}: ${reason}\n`)
    .join('')
}

/** What is predicted; `unknown` where nothing is. */
export function duration(ms: number | null): string {
  return ms === null ? 'unknown' : roughDuration(ms)
}
