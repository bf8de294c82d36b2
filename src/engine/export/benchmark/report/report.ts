import { captionOf, configurationDescription } from '@shared/benchmark/configuration-text'
import type { BenchmarkDocument, BenchmarkState } from '@shared/benchmark/document'
import { machineDescription } from '@shared/benchmark/machine-text'
import { tablesOf } from '@shared/benchmark/tables'
import type { Language } from '@shared/locale/languages'
import { localizedSentence } from '@shared/locale/localized-sentence'
import { speaking, t } from '@shared/locale/translate'
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
  language: Language = 'en',
): Promise<void> {
  await sink.write(speaking(language, () => reportOf(document, view)))
}

export function reportOf(document: BenchmarkDocument, view: BenchmarkView): string {
  const { baseline } = view
  const { suite, machine, startedAt } = document
  const caption = captionOf(document)
  const [name, description] = [suite.name, suite.description].map(localizedSentence)
  const header = html`<h1>${name}</h1>
    ${description === '' ? nothing : html`<p>${description}</p>`} ${unfinished(document)}
    ${factGroups([
      { title: t('benchmark-tables.machine'), facts: machineDescription(machine, startedAt) },
      {
        title: t('benchmark-tables.configuration'),
        facts: [
          ...configurationDescription(document),
          { name: t('benchmark-tables.baselineHead'), value: baseline },
        ],
      },
    ])}`
  return pageOf(t('benchmark-tables.executionTimesOf', [name]), header, [
    plotsSection(document, view),
    ...tablesOf(document, baseline).map((table) => tableSection(table, caption)),
  ])
}

const stateWords: Readonly<Record<Exclude<BenchmarkState, 'done'>, () => string>> = {
  running: () => t('benchmark-tables.stateRunning'),
  paused: () => t('benchmark-tables.statePaused'),
  cancelled: () => t('benchmark-tables.stateCancelled'),
  interrupted: () => t('benchmark-tables.stateInterrupted'),
}

/** A report of part of a comparison must say so. */
function unfinished({ state, rows, plan }: BenchmarkDocument): Html {
  if (state === 'done') return nothing
  return html`<p class="banner">
    ${t('benchmark-tables.thisComparisonIs', [stateWords[state](), rows.length, plan.length])}
  </p>`
}
