import { mount, type VueWrapper } from '@vue/test-utils'
import type { ColumnInfo } from '@shared/dataset'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { column, irisColumns } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import FeatureList from './FeatureList.vue'

let list: VueWrapper

afterEach(() => list.unmount())

function show(columns: readonly ColumnInfo[] = irisColumns, chosen?: readonly string[]) {
  freshWindow()
  const usable = columns.filter(({ min }) => min !== null).map(({ name }) => name)
  const histograms = new Map([[0, { min: 4.3, max: 7.9, counts: [1, 8, 0, 2] }]])
  list = mount(FeatureList, {
    props: { columns, usable, chosen: chosen ?? usable, histograms, scalings: [], oneHot: [] },
  })
  return list
}

const names = (count: number): ColumnInfo[] =>
  Array.from({ length: count }, (_, index) => column(index, `sensor ${index}`, { proposed: index % 2 === 0 }))
const at = (id: string) => list.find(`[data-testid="${id}"]`)

describe('the list of features', () => {
  it('shows range, missing cells, how the values lie, and the type of what is no number', () => {
    show([column(0, 'age', { min: 1, max: 99, missing: 7 }), ...irisColumns.slice(4)])
    const row = at('feature-age').element.closest('label')
    expect(row?.textContent).toContain('7 missing')
    expect(row?.textContent).toContain('1 – 99')
    expect(row?.textContent).toContain('Most common: 5.2 to 6.1 (8).')
    expect(at('histogram-age').attributes('aria-hidden')).toBe('true')
    expect(at('histogram-age').find('path').attributes('d')?.split('M')).toHaveLength(4)
    expect(list.find('.feature-other').text()).toContain('species')
    expect(list.find('.feature-other').text()).toContain('categorical')
  })

  it('tells which columns came into sight, but not one that has a single value', () => {
    show([column(0, 'a'), column(1, 'same', { type: 'constant', min: 2, max: 2 }), column(2, 'c')])
    expect(list.emitted('sight')).toEqual([
      [0, true],
      [2, true],
    ])
    expect(at('feature-same').exists()).toBe(true)
  })

  it('ticks all, none and the proposed ones', async () => {
    show(names(4), ['sensor 1'])
    await at('features-all').trigger('click')
    await at('features-none').trigger('click')
    await at('features-proposed').trigger('click')
    expect(list.emitted('set')).toEqual([
      [['sensor 0', 'sensor 1', 'sensor 2', 'sensor 3']],
      [[]],
      [['sensor 0', 'sensor 2']],
    ])
  })

  it('gives a chosen feature a scaling of its own, and takes it back', async () => {
    show(irisColumns, ['sepal_length', 'petal_width'])
    await list.setProps({ scalings: [{ column: 'petal_width', scaling: 'robust' }] })
    const select = (name: string) => at(`scaling-of-${name}`)
    expect(select('sepal_width').exists()).toBe(false)
    expect((select('sepal_length').element as HTMLSelectElement).value).toBe('as-all')
    expect((select('petal_width').element as HTMLSelectElement).value).toBe('robust')
    await select('sepal_length').setValue('min-max')
    await select('petal_width').setValue('as-all')
    expect(list.emitted('scale')).toEqual([
      ['sepal_length', 'min-max'],
      ['petal_width', null],
    ])
    await list.setProps({ scalings: null })
    expect(select('sepal_length').exists()).toBe(false)
  })

  it('ticks a column of few texts, and says what it becomes', async () => {
    const species = column(4, 'species', { type: 'categorical', min: null, max: null, categories: 3 })
    const names = column(5, 'name', { type: 'text', min: null, max: null, categories: 65 })
    show([...irisColumns.slice(0, 4), species, names])
    expect(at('one-hot-name').exists()).toBe(false)
    expect(at('one-hot-species').element.closest('label')?.textContent).toContain('categorical')
    await at('one-hot-species').setValue(true)
    expect(list.emitted('oneHot')).toEqual([['species', true]])
    await list.setProps({ oneHot: ['species'] })
    expect(at('one-hot-species').element.closest('label')?.textContent).toContain('3 features, 0 or 1 each')
    expect(at('feature-count').text()).toBe('4 of 4 + 1 one-hot')
    await at('features-none').trigger('click')
    expect(list.emitted('oneHot')?.at(-1)).toEqual(['species', false])
  })

  it('shows the range of dates as dates', () => {
    const date = {
      order: 'ymd',
      unit: 'seconds',
      ambiguous: false,
      otherOrder: 0,
      row: 2,
      cell: '2024-01-31',
      value: 1,
    } as const
    const range = { min: 19_753 * 86_400, max: 19_799 * 86_400 + 5 }
    show([column(0, 'when', { type: 'date', proposed: false, date, ...range })])
    const text = at('feature-when').element.closest('label')?.textContent
    expect(text?.replaceAll('\u2011', '-')).toContain('2024-01-31 – 2024-03-17')
    expect(text).toContain('date')
  })

  it('offers no filter for a few columns', () => {
    show(names(12))
    expect(at('feature-filter').exists()).toBe(false)
  })

  it('draws some of very many rows, finds and sets all of them', async () => {
    show(names(2200), [])
    expect(list.findAll('.feature')).toHaveLength(300)
    expect(at('features-not-drawn').text().replaceAll(/\s/gu, ' ')).toContain('1 900 more')
    expect(at('feature-count').text().replaceAll(/\s/gu, ' ')).toBe('0 of 2 200')
    await at('features-more').trigger('click')
    expect(list.findAll('.feature')).toHaveLength(600)
    await at('features-all').trigger('click')
    expect((list.emitted('set')?.[0]?.[0] as readonly string[]).length).toBe(2200)
    await at('feature-filter').setValue('sensor 2199')
    expect(list.findAll('.feature-name').map((name) => name.text())).toEqual(['sensor 2199'])
    expect(at('features-not-drawn').exists()).toBe(false)
  })

  it('finds columns by name, and then acts on those alone', async () => {
    show(names(30), ['sensor 3', 'sensor 21'])
    const search = at('feature-filter').element
    const toSearch = (search.scrollIntoView = vi.fn())
    await at('feature-filter').setValue('SENSOR 2')
    expect(toSearch).toHaveBeenCalled()
    expect(list.findAll('.feature')).toHaveLength(11)
    expect(at('features-none').text()).toBe('None shown')
    await at('features-none').trigger('click')
    expect(list.emitted('set')).toEqual([[['sensor 3']]])
    await at('feature-filter').setValue('nowhere')
    expect(list.text()).toContain('No column is called ‘nowhere’.')
  })
})
