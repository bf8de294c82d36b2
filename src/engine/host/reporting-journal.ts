import { Journal } from '@engine/benchmark/journal'
import type { BenchmarkDocument } from '@shared/benchmark/document'

/** Comparisons on disk, of which the person hears when one is only in memory: once, until one is on disk again. */
export class ReportingJournal extends Journal {
  readonly #folder: string
  readonly #notice: (sentence: string) => void
  #isReported = false

  constructor(folder: string, notice: (sentence: string) => void) {
    super(folder)
    this.#folder = folder
    this.#notice = notice
  }

  override async keep(document: BenchmarkDocument): Promise<boolean> {
    const isKept = await super.keep(document)
    if (!isKept && !this.#isReported) this.#notice(unkept(document.suite.name, this.#folder))
    this.#isReported = !isKept
    return isKept
  }
}

function unkept(name: string, folder: string): string {
  return `The comparison '${name}' cannot be kept on disk and is lost when Centroid Lab ends: make room in ${folder}, allow it to be written, or export the tables.`
}
