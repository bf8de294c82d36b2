import { speaking, t } from '@shared/locale/translate'
import type { ReportChoice } from '@shared/text-choice'
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
  choice: ReportChoice = {},
): Promise<void> {
  const content = await reportContent(result, signal, choice)
  await sink.write(speaking(choice.language ?? 'en', () => pageOfContent(content)))
}

function pageOfContent(content: ReportContent): string {
  const { title, lead, note, warnings, groups, figures, tables, commandLine } = content
  const header = html`<h1>${title}</h1>
    <p>${lead}</p>
    ${note === null ? nothing : html`<p>${note}</p>`}
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
      <h2>${t('report.howItWasMade')}</h2>
      ${factGroups(groups)}
    </section>`,
    html`<section>
      <h2>${t('report.howToRepeatIt')}</h2>
      <p>${t('report.repeatHint')}</p>
      <pre>${commandLine}</pre>
    </section>`,
  ])
}

function warningList(warnings: readonly string[]): Html {
  return html`<ul class="banner">
    ${warnings.map((text) => html`<li>${text}</li>`)}
  </ul>`
}
