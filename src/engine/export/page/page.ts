import type { MachineFact } from '@shared/benchmark/machine-text'
import { currentLanguage } from '@shared/locale/translate'
import { html, type Html } from './html'
import { reportStyle } from './style'

/** Nothing is loaded and no script runs, whatever a name in the data holds: only the page's own styles and inline pictures. */
const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** One file with no script and nothing to load. */
export function pageOf(title: string, header: Html, main: readonly Html[]): string {
  return html`<!doctype html>
    <html lang="${currentLanguage()}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ markup: reportStyle }}
        </style>
      </head>
      <body>
        <header>${header}</header>
        <main>${main}</main>
      </body>
    </html> `.markup
}

export interface FactGroup {
  readonly title: string
  readonly facts: readonly MachineFact[]
}

/** Names and values, group beside group. */
export function factGroups(groups: readonly FactGroup[]): Html {
  return html`<div class="facts">
    ${groups.map(
      ({ title, facts }) =>
        html`<div>
          <h2>${title}</h2>
          ${factList(facts)}
        </div>`,
    )}
  </div>`
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
