import { stripVTControlCharacters } from 'node:util'

/** @typedef {import('./test-report.mjs').Problem} Problem */

const linesOfOne = 4
const maxLines = 40

/**
 * What failed, and what passed only when it was tried again, short enough for the tail of a log to hold it.
 * @param {readonly Problem[]} problems
 * @param {readonly Problem[]} retried
 * @returns {string} '' when there is nothing to say
 */
export function reportProblems(problems, retried) {
  const parts = [
    section('Failed:', problems, maxLines),
    section('Passed only on a retry:', retried, maxLines / 4),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/**
 * @param {string} title
 * @param {readonly Problem[]} entries
 * @param {number} most lines
 */
function section(title, entries, most) {
  if (entries.length === 0) return ''
  const lines = [title]
  let listed = 0
  for (const entry of entries) {
    const own = linesOf(entry)
    if (lines.length + own.length > most) break
    lines.push(...own)
    listed++
  }
  if (listed < entries.length) lines.push(`  and ${entries.length - listed} more, see above`)
  return lines.join('\n')
}

/** @param {Problem} problem */
function linesOf({ name, message }) {
  const words = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [`  ${name}`, ...words.slice(0, linesOfOne - 1).map((line) => `      ${line.trim().slice(0, 160)}`)]
}
