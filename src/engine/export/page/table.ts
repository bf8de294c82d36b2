import { stateWords, type Table, type TableCell, type TableColumn } from '@shared/benchmark/table'
import { html, nothing, type Html } from './html'

/** From this length on a text may break into lines; sooner where it stands in the place of a number. */
const longText = 40
const longGap = 16

/** A section with a table, its notes, and, where times were measured, the machine. */
export function tableSection(table: Table, machine: string | null): Html {
  const { title, columns, rows, notes } = table
  const body = html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${columns.map(headerCell)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, at) => bodyCell(cell, columns[at]))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
  return html`<section>
    <h2>${title}</h2>
    ${rows.length === 0 ? nothing : body}
    <ul class="notes">
      ${notes.map((note) => html`<li>${note}</li>`)}
    </ul>
    ${machine === null ? nothing : html`<p class="machine">${machine}</p>`}
  </section>`
}

function headerCell({ header, unit, numeric }: TableColumn): Html {
  const shownUnit = unit === null ? nothing : html`<span class="unit">${unit}</span>`
  return html`<th scope="col" ${numeric ? numberClass : nothing}>${header} ${shownUnit}</th>`
}

const numberClass = html` class="number"`

function bodyCell(cell: TableCell, { numeric }: TableColumn): Html {
  const refused = cell.state !== null && cell.state !== 'measured'
  const words = cell.text.length > (numeric ? longGap : longText) && typeof cell.value !== 'number'
  const marks = [numeric && 'number', words && 'words', cell.best && 'best', refused && 'refused']
  const classes = marks.filter((mark) => mark !== false).join(' ')
  const shownClasses = classes === '' ? nothing : html` class="${classes}"`
  const title = cell.note === null ? nothing : html` title="${cell.note}"`
  return html`<td${shownClasses}${title}>${refused ? refusedText(cell) : plainText(cell)}</td>`
}

function plainText({ text, range }: TableCell): Html {
  return range === null ? html`${text}` : html`${text}<span class="range">${range}</span>`
}

/** A time that does not count is struck through and its state said, so that nobody reads it as one, in print either. */
function refusedText({ text, value, state, note }: TableCell): Html {
  if (typeof value !== 'number' || state === null || note === null) return html`${text}`
  return html`<s>${text}</s><span class="state">${stateWords[state]}</span>`
}
