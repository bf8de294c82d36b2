import { configurationDescription, configurationLine } from '@shared/benchmark/configuration-text'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { machineDescription, machineLine } from '@shared/benchmark/machine-text'
import { tablesOf } from '@shared/benchmark/tables'
import type { TextSink } from '../../atomic-file'
import type { BenchmarkView } from '../workbook'
import { html, nothing, type Html } from '../../page/html'
import { factGroups, pageOf } from '../../page/page'
import { tableSection } from '../../page/table'
import { plotsSection } from './plots'

/** report.html: one file with no script and nothing to load. */
export async function writeReport(
  document: BenchmarkDocument,
  view: BenchmarkView,
  sink: TextSink,
): Promise<void> {
  await sink.write(reportOf(document, view))
}

export function reportOf(document: BenchmarkDocument, view: BenchmarkView): string {
  const { baseline } = view
  const { suite, machine, startedAt } = document
  const caption = `${machineLine(machine, startedAt)}. Configuration: ${configurationLine(document)}.`
  const header = html`<h1>${suite.name}</h1>
    ${suite.description === '' ? nothing : html`<p>${suite.description}</p>`} ${unfinished(document)}
    ${factGroups([
      { title: 'Machine', facts: machineDescription(machine, startedAt) },
      {
        title: 'Configuration',
        facts: [...configurationDescription(document), { name: 'Baseline', value: baseline }],
      },
    ])}`
  return pageOf(`${suite.name} – execution times`, header, [
    plotsSection(document, view),
    ...tablesOf(document, baseline).map((table) => tableSection(table, caption)),
  ])
}

/** A report of part of a comparison must say so. */
function unfinished({ state, rows, plan }: BenchmarkDocument): Html {
  if (state === 'done') return nothing
  return html`<p class="banner">
    This comparison is ${state}: ${rows.length} of ${plan.length} cells are finished.
  </p>`
}
