import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { LabError } from '@shared/errors'
import { parseFilter } from '@shared/row-filter/parse-filter'
import type { RowFilter } from '@shared/row-filter/row-filter'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { column, irisColumns, summary } from '../../../test/fixtures'
import { freshWindow } from '../../../test/mount'
import FilterDialog from './FilterDialog.vue'

let dialog: VueWrapper
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  dialog.unmount()
  vi.useRealTimers()
})

const at = <E extends HTMLElement = HTMLElement>(id: string) => {
  const found = document.querySelector<E>(`[data-testid="${id}"]`)
  if (!found) throw new Error(`no ${id}`)
  return found
}

async function set(id: string, value: string): Promise<void> {
  const control = at<HTMLInputElement | HTMLSelectElement>(id)
  control.value = value
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input'))
  await flushPromises()
}

async function counted(): Promise<void> {
  vi.advanceTimersByTime(300)
  await flushPromises()
}

const species = column(4, 'species', { type: 'categorical', min: null, max: null, categories: 3 })

async function show(
  filter: RowFilter | null = null,
  answer: (params: { filter: RowFilter }) => unknown = () => 61,
) {
  const { pinia, lab } = freshWindow({
    'dataset.filtered-rows': answer,
    'dataset.categories': () => ['setosa', 'versicolor', 'virginica'],
  })
  const dataset = summary({ columns: [...irisColumns.slice(0, 4), species] })
  dialog = mount(FilterDialog, {
    props: { open: true, dataset, filter },
    global: { plugins: [pinia] },
    attachTo: document.body,
  })
  await flushPromises()
  return lab
}

describe('the rows to cluster', () => {
  it('are those of a condition, counted before it is applied', async () => {
    await show()
    expect(at<HTMLButtonElement>('filter-apply').disabled).toBe(true)
    await set('condition-column-1', 'species')
    await set('condition-operator-1', '!=')
    await set('condition-value-1', 'setosa')
    expect(document.querySelectorAll('datalist option')).toHaveLength(3)
    await counted()
    expect(at('filter-count').textContent).toContain('61 of 150 rows left out')
    expect(at('filter-line').textContent).toBe('species != setosa')
    at('filter-apply').click()
    await flushPromises()
    expect(dialog.emitted('apply')).toEqual([[parseFilter('species != setosa')]])
    expect(dialog.emitted('update:open')).toEqual([[false]])
  })

  it('can be changed: conditions and groups come and go', async () => {
    await show(parseFilter('sepal_length > 5 and (species = setosa or species = virginica)'))
    expect(at<HTMLSelectElement>('group-join-2').value).toBe('any')
    at('condition-remove-3').click()
    await flushPromises()
    at('condition-remove-2').click()
    await flushPromises()
    expect(at('filter-line').textContent).toBe('sepal_length > 5')
    at('filter-add').click()
    await flushPromises()
    await set('condition-operator-2', 'between')
    await set('condition-value-2', '5')
    await set('condition-high-2', '6')
    await set('filter-join', 'any')
    expect(at('filter-line').textContent).toBe('sepal_length > 5 or sepal_length between 5 and 6')
  })

  it('keep a comparison that another column can answer too, and no other', async () => {
    await show(parseFilter('sepal_length > 5'))
    await set('condition-column-1', 'sepal_width')
    expect(at('filter-line').textContent).toBe('sepal_width > 5')
    await set('condition-column-1', 'species')
    expect(at('filter-line').textContent).toBe('species = 5')
  })

  it('are not applied where the engine says why not, or none is left', async () => {
    await show(parseFilter('sepal_length = tall'), () => {
      throw new LabError('input', 'filter.condition', "'tall' is no number: write one.")
    })
    await counted()
    expect(at('filter-problem').textContent).toContain("'tall' is no number")
    expect(at<HTMLButtonElement>('filter-apply').disabled).toBe(true)
    dialog.unmount()
    await show(parseFilter('sepal_length > 99'), () => 150)
    await counted()
    expect(at('filter-count').textContent).toContain('No row is kept')
    expect(at<HTMLButtonElement>('filter-apply').disabled).toBe(true)
  })

  it('are all of them without a condition', async () => {
    await show(parseFilter('sepal_length > 5'))
    at('condition-remove-1').click()
    await flushPromises()
    expect(at('filter-count').textContent).toContain('every row is kept')
    at('filter-apply').click()
    await flushPromises()
    expect(dialog.emitted('apply')).toEqual([[null]])
  })
})
