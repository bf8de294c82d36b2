import { gradeOf } from '@shared/approximate'
import { rowsByWorkload } from '@shared/benchmark/cells'
import type { Measurement } from '@shared/benchmark/document'

/**
 * Canonical contenders agree where their results are the same bytes: rows whose hash is not that of most of them disagree, and all
 * where no hash has most. Rows of an earlier sitting count as well. O(rows).
 */
export function withSameBytes(rows: readonly Measurement[]): readonly Measurement[] {
  const reasons = new Map<Measurement, string>()
  for (const ofWorkload of rowsByWorkload(rows).values()) {
    const hashed = ofWorkload.flatMap((row) => hashedRow(row) ?? [])
    const taken = hashOfMost(hashed)
    for (const one of hashed) if (one.hash !== taken) reasons.set(one.row, differs(one, hashed, taken))
  }
  const refused = (row: Measurement, reason: string): Measurement => ({
    ...row,
    ...{ state: 'disagrees', reason },
    ...(row.verification && { verification: { ...row.verification, agrees: false, reason } }),
  })
  const changes = (row: Measurement) => row.state === 'measured' && reasons.has(row)
  return rows.some(changes)
    ? rows.map((row) => (changes(row) ? refused(row, reasons.get(row) ?? '') : row))
    : rows
}

interface Hashed {
  readonly row: Measurement
  readonly hash: string
}

function hashedRow(row: Measurement): Hashed | null {
  const { engine, variant, resultSha256 } = row
  if (resultSha256 === undefined || engine === null || gradeOf(variant, engine) !== 'canonical') return null
  return { row, hash: resultSha256 }
}

/** Null where two have equally many. */
function hashOfMost(hashed: readonly Hashed[]): string | null {
  const counts = new Map<string, number>()
  for (const { hash } of hashed) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a)
  if (first === undefined || first[1] === second?.[1]) return null
  return first[0]
}

const shownDigits = 12

function differs({ row, hash }: Hashed, all: readonly Hashed[], taken: string | null): string {
  const others = all.filter((one) => (taken === null ? one.hash !== hash : one.hash === taken))
  const names = others.map((one) => `${one.row.contender} ${one.hash.slice(0, shownDigits)}`)
  return `Canonical contenders give the same bytes, but the result of ${row.contender} is ${hash.slice(0, shownDigits)}, that of ${names.join(', of ')}.`
}
