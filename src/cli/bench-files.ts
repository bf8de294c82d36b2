import { join, resolve } from 'node:path'
import { writeBenchmark } from '@engine/export/benchmark'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { benchmarkFileNames, type BenchmarkExport } from '@shared/benchmark/requests'
import { LabError, toErrorReport } from '@shared/errors'
import type { TextChoice } from '@shared/text-choice'
import { checkTargets } from './target-folder'

/** In the order in which they are reported. */
const written: readonly BenchmarkExport[] = ['timings', 'speedups', 'xlsx', 'html']

/** The folder that keeps a comparison: benchmark.json while it runs, the tables once it is done. */
export class BenchFolder {
  readonly #folder: string
  readonly #replace: boolean
  readonly #text: TextChoice
  readonly #warn: (sentence: string) => void
  /** Why the document on the disk is not the newest, or null. */
  #failure: LabError | null = null

  private constructor(folder: string, replace: boolean, text: TextChoice, warn: (sentence: string) => void) {
    this.#text = text
    this.#folder = folder
    this.#replace = replace
    this.#warn = warn
  }

  get path(): string {
    return this.#folder
  }

  /** Path of benchmark.json. */
  get document(): string {
    return join(this.#folder, benchmarkFileNames.document)
  }

  /** Refuses before any work what could not be written after it. @throws LabError `export.*` */
  static async check(folder: string, replace: boolean): Promise<void> {
    const names = [...written, 'document' as const].map((what) => benchmarkFileNames[what])
    await checkTargets(resolve(folder), names, replace).catch((thrown: unknown) => {
      throw explainResume(thrown)
    })
  }

  /**
   * @param warn told once why what is finished cannot be kept, since hours may pass before the end
   * @throws LabError `export.*`
   */
  static async open(
    folder: string,
    replace: boolean,
    text: TextChoice,
    warn: (sentence: string) => void,
  ): Promise<BenchFolder> {
    await BenchFolder.check(folder, replace)
    return new BenchFolder(resolve(folder), replace, text, warn)
  }

  /** Never throws. The document that was kept before stays. */
  async keep(document: BenchmarkDocument): Promise<void> {
    // What is finished is kept also after a cancel.
    const options = { replace: true, signal: new AbortController().signal }
    try {
      await writeBenchmark(document, 'document', viewOf(document), this.document, options)
      this.#failure = null
    } catch (thrown) {
      const failure = LabError.from(toErrorReport(thrown))
      if (this.#failure === null) this.#warn(`What is finished cannot be kept for now: ${failure.message}`)
      this.#failure = failure
    }
  }

  /** Tries again, since somebody may have made room. @returns why the document on the disk is not the newest, or null */
  async keptAtLast(document: BenchmarkDocument): Promise<LabError | null> {
    if (this.#failure !== null) await this.keep(document)
    return this.#failure
  }

  /** The tables. @param onFile called for each file that is whole @throws LabError `export.*`, `cancelled` */
  async write(
    document: BenchmarkDocument,
    signal: AbortSignal,
    onFile: (path: string) => void,
  ): Promise<void> {
    const failure = await this.keptAtLast(document)
    if (failure !== null) throw failure
    onFile(this.document)
    for (const what of written) {
      const path = join(this.#folder, benchmarkFileNames[what])
      const options = { ...this.#text, replace: this.#replace, signal }
      await writeBenchmark(document, what, viewOf(document), path, options)
      onFile(path)
    }
  }
}

function viewOf({ suite }: BenchmarkDocument) {
  return { baseline: suite.baseline, plots: [] }
}

function explainResume(thrown: unknown): unknown {
  if (!(thrown instanceof LabError) || thrown.code !== 'export.exists') return thrown
  if (!thrown.message.includes(benchmarkFileNames.document)) return thrown
  const message = thrown.message.replace(/: add --force/, ': resume it with --resume, add --force')
  return new LabError(thrown.kind, thrown.code, message, thrown.details)
}
