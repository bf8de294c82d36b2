import type { RunResult } from '../../run/types'
import type { TextSink } from '../atomic-file'
import { html, nothing, type Html } from '../page/html'
import { factGroups, pageOf } from '../page/page'
import { tableSection } from '../page/table'
import { reportContent, type ReportContent } from './content'

/** report.html of a clustering: one file with no script and nothing to load. @throws LabError `cancelled` */
export async function writeClusteringReport(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
): Promise<void> {
  await sink.write(pageOfContent(await reportContent(result, signal)))
}

function pageOfContent(content: ReportContent): string {
  const { title, lead, warnings, groups, figures, tables, commandLine } = content
  const header = html`<h1>${title}</h1>
    <p>${lead}</p>
    ${warnings.length === 0 ? nothing : warningList(warnings)}`
  return pageOf(title, header, [
    ...figures.map(
      ({ title: caption, svg }) =>
        html`<figure>
          <figcaption>${caption}</figcaption>
          ${{ markup: svg }}
        </figure>`,
    ),
    ...tables.map((table) => tableSection(table, null)),
    html`<section>
      <h2>How it was made</h2>
      ${factGroups(groups)}
    </section>`,
    html`<section>
      <h2>How to repeat it</h2>
      <p>In the folder of the data file; run.json and the file are all that another machine needs.</p>
      <pre>${commandLine}</pre>
    </section>`,
  ])
}

function warningList(warnings: readonly string[]): Html {
  return html`<ul class="banner">
    ${warnings.map((text) => html`<li>${text}</li>`)}
  </ul>`
}
