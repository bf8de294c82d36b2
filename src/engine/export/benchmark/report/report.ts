import { configurationDescription, configurationLine } from '@shared/benchmark/configuration-text'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { machineDescription, machineLine, type MachineFact } from '@shared/benchmark/machine-text'
import { tablesOf } from '@shared/benchmark/tables'
import type { TextSink } from '../../atomic-file'
import type { BenchmarkView } from '../workbook'
import { html, nothing, type Html } from './html'
import { plotsSection } from './plots'
import { reportStyle } from './style'
import { tableSection } from './table'

/** Nothing is loaded and no script runs, whatever a name in the data holds: only the page's own styles and inline pictures. */
const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

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
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${suite.name} – execution times</title>
        <style>
          ${{ markup: reportStyle }}
        </style>
      </head>
      <body>
        <header>
          <h1>${suite.name}</h1>
          ${suite.description === '' ? nothing : html`<p>${suite.description}</p>`} ${unfinished(document)}
          <div class="facts">
            <div>
              <h2>Machine</h2>
              ${factList(machineDescription(machine, startedAt))}
            </div>
            <div>
              <h2>Configuration</h2>
              ${factList([...configurationDescription(document), { name: 'Baseline', value: baseline }])}
            </div>
          </div>
        </header>
        <main>
          ${plotsSection(document, view)}
          ${tablesOf(document, baseline).map((table) => tableSection(table, caption))}
        </main>
      </body>
    </html> `.markup
}

/** A report of part of a comparison must say so. */
function unfinished({ state, rows, plan }: BenchmarkDocument): Html {
  if (state === 'done') return nothing
  return html`<p class="banner">
    This comparison is ${state}: ${rows.length} of ${plan.length} cells are finished.
  </p>`
}

function factList(facts: readonly MachineFact[]): Html {
  return html`<dl>
    ${facts.map(
      ({ name, value }) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}
