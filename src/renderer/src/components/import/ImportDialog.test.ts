import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import type { ColumnInfo, Evidence, ImportPreview } from '@shared/dataset'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { column, preview, summary } from '../../../test/fixtures'
import ImportDialog from './ImportDialog.vue'
import { columnWidth, rowHeight } from './preview-rows'

let dialog: VueWrapper
const changes = vi.fn()
const cancel = vi.fn()

beforeEach(() => {
  vi.clearAllMocks()
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(480)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = (): void => undefined
      unobserve = (): void => undefined
      disconnect = (): void => undefined
    },
  )
})
afterEach(() => {
  dialog.unmount()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const at = <E extends HTMLElement = HTMLElement>(id: string): E => {
  const found = document.querySelector<E>(`[data-testid="${id}"]`)
  if (!found) throw new Error(`nothing called ${id}`)
  return found
}

function choose(id: string, value: string): void {
  const select = at<HTMLSelectElement>(id)
  select.value = value
  select.dispatchEvent(new Event('change', { bubbles: true }))
}

async function open(shown: ImportPreview = preview(), change: Record<string, unknown> = {}): Promise<void> {
  const types = Object.fromEntries(shown.columns.map(({ index, type }) => [index, type]))
  dialog = mount(ImportDialog, {
    attachTo: document.body,
    props: {
      name: 'odd.csv',
      preview: shown,
      overrides: {},
      detected: summary().receipt.dialect,
      types,
      error: null,
      asking: false,
      again: false,
      onChange: changes,
      onCancel: cancel,
      ...change,
    },
  })
  await flushPromises()
}

function doubtful(key: 'header' | 'decimal', because: string): ImportPreview {
  const plain = preview()
  const evidence: Evidence = { because, overridden: false, doubtful: true }
  return preview({
    doubtful: true,
    receipt: { ...plain.receipt, evidence: { ...plain.receipt.evidence, [key]: evidence } },
  })
}

describe('the import preview', () => {
  it('marks what is doubtful, says why, and puts the keyboard there', async () => {
    await open(doubtful('header', 'The first row holds numbers, some of them twice.'))
    const field = at('import-header').closest('.dialect-field')
    expect(field?.textContent).toContain('Doubtful')
    expect(field?.textContent).toContain('The first row holds numbers, some of them twice.')
    expect(document.querySelectorAll('.doubt')).toHaveLength(1)
    expect(document.activeElement).toBe(at('import-header'))
  })

  it('says at the top why it opens, and marks the row and the column that it is about', async () => {
    const plain = doubtful('header', 'The first row holds numbers.')
    const columns = plain.columns.map((each, index) => ({ ...each, notNumeric: index === 1 ? 2 : 0 }))
    const sample = Array.from({ length: 60 }, () => ['1', '2', '3', '4', 'a'])
    // A page without layout has nothing to scroll by itself.
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(60 * rowHeight)
    const sampleRows = sample.map((_, row) => (row === 59 ? 101 : row + 2))
    await open({ ...plain, columns, sample, sampleRows, doubtfulRows: [101] })
    const why = at('import-notes')
    expect(why.textContent).toContain('Doubtful, so look at it before it loads')
    expect(why.querySelector('li')?.textContent).toBe('Header row: The first row holds numbers.')
    expect(why.compareDocumentPosition(at('import-table'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    const marked = [...document.querySelectorAll('.doubtful-row .preview-row-number')]
    expect(marked.map((cell) => cell.textContent?.trim())).toEqual(['101, doubtful'])
    expect(
      [...document.querySelectorAll('.preview-name')].map((name) => name.textContent?.includes('Doubtful')),
    ).toEqual(columns.map(({ notNumeric }) => notNumeric > 0))
  })

  it('has nothing to be set but types for a file that is no text', async () => {
    const plain = preview()
    await open(preview({ receipt: { ...plain.receipt, columnar: 'parquet' } }))
    expect(document.querySelector('[data-testid=import-delimiter]')).toBeNull()
    expect(document.querySelector('[data-testid=import-title-rows]')).toBeNull()
    expect(at('import-no-dialect').textContent).toContain('nothing to be set but the types of columns')
  })

  it('puts the keyboard on Load where nothing is doubtful', async () => {
    await open()
    expect(document.activeElement).toBe(at('import-load'))
  })

  it('asks for what is set, keeping what was set before', async () => {
    await open(preview(), { overrides: { delimiter: ';' } })
    choose('import-decimal', ',')
    expect(changes.mock.calls).toEqual([[{ delimiter: ';', decimal: ',' }]])
    choose('import-delimiter', 'detected')
    expect(changes.mock.calls[1]).toEqual([{}])
  })

  it('asks for the type of a column, and gives it back to detection', async () => {
    await open(preview(), { overrides: { columnTypes: { 4: 'numeric' } } })
    choose('import-type-0', 'identifier')
    choose('import-type-4', 'detected')
    expect(changes.mock.calls).toEqual([[{ columnTypes: { 0: 'identifier', 4: 'numeric' } }], [{}]])
  })

  it('says what the settings make of the file', async () => {
    await open()
    expect(at('import-effect').textContent).toContain('5 columns, 4 proposed as features.')
    expect(at('import-effect').textContent).toContain('3 are left out')
    expect(at('import-notes').textContent).toContain('Row 12, column age')
    expect(at('import-table').querySelectorAll('tbody tr')).toHaveLength(5)
    expect(at('import-table').textContent).toContain('setosa')
  })

  it('counts rows as the messages about the file do, and tells what was read otherwise', async () => {
    const warnings = ['Row 4: a quote stands in the middle of a cell; the cell was read as text.']
    const shown = preview({ sampleRows: [4, 5, 6, 8, 9] })
    await open({ ...shown, receipt: { ...shown.receipt, warnings } })
    const numbers = [...at('import-table').querySelectorAll('tbody .preview-row-number')]
    expect(numbers.map((cell) => cell.textContent)).toEqual(['4', '5', '6', '8', '9'])
    expect(at('import-notes').querySelector('li')?.textContent).toBe(warnings[0])
  })

  it('marks a row that has too few cells', async () => {
    await open(
      preview({
        sample: [
          ['1', '2', '3', '4', 'a'],
          ['1', '2'],
        ],
      }),
    )
    const rows = at('import-table').querySelectorAll('tbody tr')
    expect(rows[0]?.className).not.toContain('left-out')
    expect(rows[1]?.className).toBe('left-out')
    expect(rows[1]?.textContent).toContain('2 cells where 5 belong')
  })

  it('shows why the file cannot be read that way, and lets it be mended', async () => {
    await open(preview(), {
      error: 'odd.csv is not UTF-16; choose another encoding.',
      overrides: { header: false },
    })
    expect(at('import-error').textContent).toContain('odd.csv is not UTF-16')
    expect(at<HTMLButtonElement>('import-load').disabled).toBe(true)
    expect(at<HTMLSelectElement>('import-encoding').disabled).toBe(false)
    at('import-reset').click()
    expect(changes.mock.calls).toEqual([[{}]])
  })

  it('draws the part of three hundred columns and fifty rows that is in sight', async () => {
    const columns: ColumnInfo[] = Array.from({ length: 300 }, (_, index) => column(index, `c${index}`))
    await open(
      preview({
        columns,
        sample: Array.from({ length: 50 }, () => columns.map(({ index }) => String(index))),
      }),
    )
    expect(at('import-table').querySelectorAll('select').length).toBeLessThan(15)
    expect(at('import-table').querySelector('table')?.getAttribute('aria-colcount')).toBe('301')
    expect(at('import-table').querySelectorAll('tbody tr:not([aria-hidden])').length).toBeLessThan(30)
    const frame = at('import-table')
    frame.scrollTop = 50 * rowHeight
    frame.scrollLeft = 300 * columnWidth
    frame.dispatchEvent(new Event('scroll'))
    await flushPromises()
    expect(frame.textContent).toContain('c299')
    expect(frame.querySelector('tbody tr:last-child')?.textContent).toContain('51')
  })

  it('leaves by Escape without a word to what is behind it', async () => {
    const behind = vi.fn()
    window.addEventListener('keydown', behind)
    await open()
    at('import-load').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
    )
    window.removeEventListener('keydown', behind)
    expect(cancel).toHaveBeenCalledOnce()
    expect(behind).not.toHaveBeenCalled()
  })

  it('says Load again for a file that is loaded', async () => {
    await open(preview(), { again: true })
    expect(at('import-load').textContent?.trim()).toBe('Load again with these settings')
  })
})
