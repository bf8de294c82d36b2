import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { BenchmarkExport } from '@shared/benchmark/requests'
import type { Language } from '@shared/locale/languages'
import type { TextChoice } from '@shared/text-choice'
import { writeSuite } from '../../benchmark/suite-file'
import { writeAtomically, type AtomicOptions, type ByteSink } from '../atomic-file'
import { csvForm, type CsvForm } from '../csv-text'
import { refuseSource } from '../refuse-source'
import { writeReport } from './report/report'
import { writeSpeedups } from './speedups'
import { writeBenchmarkTimings } from './timings'
import { writeWorkbook, type BenchmarkView } from './workbook'

export { markdownOf } from '@shared/benchmark/markdown'
export type { BenchmarkView } from './workbook'

type Writer = (
  document: BenchmarkDocument,
  view: BenchmarkView,
  sink: ByteSink,
  form: CsvForm,
  language?: Language,
) => Promise<void>

const writers = {
  timings: (document, _view, sink, form) => writeBenchmarkTimings(document, sink, form),
  speedups: (document, { baseline }, sink, form) => writeSpeedups(document, baseline, sink, form),
  xlsx: (document, view, sink, _form, language) => writeWorkbook(document, view, sink, language),
  html: (document, view, sink, _form, language) => writeReport(document, view, sink, language),
  document: (document, _view, sink) => sink.write(jsonText(document)),
} satisfies Record<Exclude<BenchmarkExport, 'suite'>, Writer>

/**
 * Writes one file of a comparison, whole or not at all, finished or not: it holds the rows that are done. A data file of
 * the comparison is never replaced.
 * @returns the path and the bytes written
 * @throws LabError `export.*`, `cancelled`
 */
export async function writeBenchmark(
  document: BenchmarkDocument,
  what: BenchmarkExport,
  view: BenchmarkView,
  path: string,
  options: AtomicOptions & TextChoice,
): Promise<{ readonly path: string; readonly bytes: number }> {
  for (const { dataset } of document.suite.cases) {
    if (dataset.kind === 'file') await refuseSource(dataset.path, path)
  }
  if (what === 'suite') return writeSuite(document.suite, path, options)
  const writer: Writer = writers[what]
  return writeAtomically(path, options, (sink) =>
    writer(document, view, sink, csvForm(options), options.language),
  )
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
