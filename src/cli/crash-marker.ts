import { Journal } from '@engine/benchmark/journal'
import { maxDeaths, withFailed } from '@engine/benchmark/comparisons'
import { sameCell } from '@engine/benchmark/progress'
import type { BenchmarkDocument, CellKey } from '@shared/benchmark/document'

/**
 * Which cell is at work, written beside benchmark.json before its work begins: a driver that ends the process takes the
 * program with it, and the comparison that is resumed must not end at the same cell for ever.
 */
export class CrashMarker {
  readonly #journal: Journal
  readonly #id: string
  readonly #suspect: CellKey | null
  readonly #deaths: number

  private constructor(journal: Journal, id: string, suspect: CellKey | null, deaths: number) {
    this.#journal = journal
    this.#id = id
    this.#suspect = suspect
    this.#deaths = deaths
  }

  /** @returns the document, with the cell failed that has ended the program as often as is allowed */
  static async after(
    folder: string,
    document: BenchmarkDocument,
  ): Promise<{ readonly document: BenchmarkDocument; readonly marks: CrashMarker }> {
    const journal = new Journal(folder)
    const { id, state } = document
    const mark = state === 'running' ? await journal.lastMark(id) : null
    const suspect = mark?.cell ?? null
    const deaths = suspect === null ? 0 : (mark?.deaths ?? 0) + 1
    const failed = suspect !== null && deaths >= maxDeaths
    return {
      document: failed ? withFailed(document, suspect) : document,
      marks: new CrashMarker(journal, id, suspect, deaths),
    }
  }

  mark(cell: CellKey | null): void {
    const again = cell !== null && this.#suspect !== null && sameCell(cell, this.#suspect)
    this.#journal.mark(this.#id, { cell, deaths: again ? this.#deaths : 0 })
  }

  /** The comparison has come to an end of its own. */
  unmark(): void {
    this.#journal.unmark(this.#id)
  }
}
