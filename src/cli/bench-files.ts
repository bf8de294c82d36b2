import { join, resolve } from 'node:path'
import { writeBenchmark } from '@engine/export/benchmark'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { benchmarkFileNames, type BenchmarkExport } from '@shared/benchmark/requests'
import { LabError } from '@shared/errors'
import type { TextChoice } from '@shared/ipc'
import { checkTargets } from './target-folder'

/** In the order in which they are told. */
const written: readonly BenchmarkExport[] = ['timings', 'speedups', 'xlsx', 'html']

/** The folder that keeps a comparison: benchmark.json while it runs, the tables once it is done. */
export class BenchFolder {
  readonly #folder: string
  readonly #replace: boolean
  readonly #text: TextChoice
  #failure: unknown = null

  private constructor(folder: string, replace: boolean, text: TextChoice) {
    this.#text = text
    this.#folder = folder
    this.#replace = replace
  }

  get path(): string {
    return this.#folder
  }

  /** Path of benchmark.json. */
  get document(): string {
    return join(this.#folder, benchmarkFileNames.document)
  }

  /** @throws LabError `export.*` for what could not be written in the end */
  static async open(folder: string, replace: boolean, text: TextChoice): Promise<BenchFolder> {
    const names = [...written, 'document' as const].map((what) => benchmarkFileNames[what])
    await checkTargets(resolve(folder), names, replace).catch((thrown: unknown) => {
      throw explainResume(thrown)
    })
    return new BenchFolder(resolve(folder), replace, text)
  }

  /** Never throws: what could not be kept is told by `write`. */
  async keep(document: BenchmarkDocument): Promise<void> {
    // What is finished is kept also after a cancel.
    const options = { replace: true, signal: new AbortController().signal }
    try {
      await writeBenchmark(document, 'document', viewOf(document), this.document, options)
      this.#failure = null
    } catch (thrown) {
      this.#failure = thrown
    }
  }

  /** The tables. @returns the paths of all files @throws LabError `export.*`, `cancelled` */
  async write(document: BenchmarkDocument, signal: AbortSignal): Promise<readonly string[]> {
    this.checkKept()
    const paths: string[] = []
    for (const what of written) {
      const path = join(this.#folder, benchmarkFileNames[what])
      const options = { ...this.#text, replace: this.#replace, signal }
      await writeBenchmark(document, what, viewOf(document), path, options)
      paths.push(path)
    }
    return [...paths, this.document]
  }

  /** @throws LabError `export.*` when the document on the disk is not the newest */
  checkKept(): void {
    if (this.#failure !== null) throw this.#failure
  }
}

function viewOf({ suite }: BenchmarkDocument) {
  return { baseline: suite.baseline, plots: [] }
}

function explainResume(thrown: unknown): unknown {
  if (!(thrown instanceof LabError) || thrown.code !== 'export.exists') return thrown
  if (!thrown.message.includes(benchmarkFileNames.document)) return thrown
  const message = thrown.message.replace(/: add --force/, ': go on with it by --resume, add --force')
  return new LabError(thrown.kind, thrown.code, message, thrown.details)
}
