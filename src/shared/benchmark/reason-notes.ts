import { afterColon } from './after-colon'
import { sharedNotRunWords } from './cell-limit'
import { whyNotCounted, workloadsOf } from './counted'
import { localizedSentence } from '../locale/localized-sentence'
import { t } from '../locale/translate'
import type { BenchmarkDocument } from './document'
import { stateWords } from './table'

/** A reason with the contenders that it keeps from counting on the same data. */
interface Refusal {
  readonly contenders: string[]
  readonly words: string
  readonly where: readonly string[]
}

/**
 * Why times do not count, each reason once: `cuda/fused, cuda/thrust skipped: the cuda engine cannot be used: … (everywhere).`.
 * @param nameOf what a contender is called where the sentence stands
 */
export function reasonNotes(
  document: Pick<BenchmarkDocument, 'plan' | 'rows'>,
  nameOf = (contender: string): string => contender,
): readonly string[] {
  const workloads = workloadsOf(document).length
  const refusals = new Map<string, Refusal>()
  for (const [contender, reasons] of reasonsOf(document)) {
    for (const [words, where] of reasons) {
      const key = JSON.stringify([words, where])
      const known = refusals.get(key)
      if (known === undefined) refusals.set(key, { contenders: [nameOf(contender)], words, where })
      else known.contenders.push(nameOf(contender))
    }
  }
  return [...refusals.values()].map(({ contenders, words, where }) => {
    const everywhere = where.length > 1 && where.length === workloads
    const said = everywhere ? t('benchmark-tables.everywhere') : where.join('; ')
    return `${contenders.join(', ')} ${words.replace(/\.$/u, '')} (${said}).`
  })
}

/** Of each contender its reasons, and where each holds. */
function reasonsOf({ rows }: Pick<BenchmarkDocument, 'rows'>): Map<string, Map<string, string[]>> {
  const found = new Map<string, Map<string, string[]>>()
  for (const row of rows) {
    const reason = whyNotCounted(row)
    if (reason === null) continue
    const words =
      sharedNotRunWords(reason) ?? `${stateWords[row.state]}: ${afterColon(localizedSentence(reason))}`
    const reasons = found.get(row.contender) ?? new Map<string, string[]>()
    found.set(row.contender, reasons)
    reasons.set(words, [...(reasons.get(words) ?? []), `${row.dataset}, k = ${row.k}`])
  }
  return found
}
