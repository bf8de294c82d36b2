import type { BenchmarkDocument } from '@shared/benchmark/document'
import { partsOf, type DocumentParts } from '@shared/benchmark/document-parts'
import { LabError } from '@shared/errors'
import { t } from '@shared/locale/translate'

/** Comparisons that the page is reading; of those it gave up, the oldest go first. */
const maxHeld = 4

/** Comparisons cut to parts, until the last part of each is fetched: all parts are of one moment. */
export class DocumentTickets {
  readonly #held = new Map<number, DocumentParts>()
  #last = 0

  hold(document: BenchmarkDocument): { readonly ticket: number; readonly parts: number } {
    const parts = partsOf(document)
    this.#held.set(++this.#last, parts)
    for (const ticket of this.#held.keys()) if (ticket <= this.#last - maxHeld) this.#held.delete(ticket)
    return { ticket: this.#last, parts: parts.length }
  }

  /** @throws LabError `benchmark.part` for a part that is not there or not there any more */
  part(ticket: number, part: number): string {
    const parts = this.#held.get(ticket)
    const text = parts?.[part]
    if (parts === undefined || text === undefined)
      throw new LabError('input', 'benchmark.part', t('desktop.theComparisonIsNoLongerBeing'))
    if (part === parts.length - 1) this.#held.delete(ticket)
    return text
  }
}
